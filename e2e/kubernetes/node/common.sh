# shellcheck shell=sh
# What the containers of the cluster have in common. Set from outside: NETWORK, NODES, NODE (0 is the control plane).

# The address that Docker gave this container.
address=$NETWORK.$([ "$NODE" -eq 0 ] && echo 2 || echo $((10 + NODE)))
logs=/var/log/kube

# supervise NAME COMMAND...: runs it in the background, and again a second after it ended, with its output in a file.
supervise() {
    part=$1
    shift
    while :; do
        "$@" >>"$logs/$part.log" 2>&1
        echo "$(date -u +%FT%TZ) $part ended with status $?, starting it again" >>"$logs/$part.log"
        sleep 1
    done &
}

# The engine mounts these read-only where the container is not a privileged one.
make_writable() {
    mount -o remount,bind,rw /sys
    for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/*/; do
        ! mountpoint -q "$hierarchy" || mount -o remount,bind,rw "$hierarchy"
    done
    mount --make-rshared /
}

# cgroup v2 lets a group have either processes or limited children: the processes here move to a group of their own.
make_room_in_cgroup_v2() {
    [ -f /sys/fs/cgroup/cgroup.controllers ] || return 0
    mkdir -p /sys/fs/cgroup/init
    while read -r process; do
        echo "$process" >/sys/fs/cgroup/init/cgroup.procs || true # It has ended meanwhile.
    done </sys/fs/cgroup/cgroup.procs
    sed 's/\([a-z]\+\)/+\1/g' /sys/fs/cgroup/cgroup.controllers >/sys/fs/cgroup/cgroup.subtree_control
}

proxy() {
    supervise kube-proxy kube-proxy --kubeconfig=/etc/kubernetes/proxy.kubeconfig --hostname-override="$1" --bind-address="$address" \
        --proxy-mode=iptables --cluster-cidr=10.244.0.0/16 --detect-local-mode=ClusterCIDR --conntrack-max-per-core=0 \
        --conntrack-min=0 --conntrack-tcp-timeout-established=0 --conntrack-tcp-timeout-close-wait=0
}

mkdir -p "$logs"
trap 'exit 0' TERM INT
