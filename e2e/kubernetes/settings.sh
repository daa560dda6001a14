# shellcheck shell=sh
# shellcheck disable=SC2034 # Used by the scripts that read this file.
# Names and addresses of the local Kubernetes, and how its scripts wait and fail. Read by all of them.

# All that is made in Docker has this name as its prefix, and this label.
name=kvorum-kube
label=dev.kvorum.kube=cluster
nodes=${NODES:-3}
# The first three bytes of a /24 for Docker: .2 is the control plane, .10+I node I.
network=${KUBE_NETWORK:-172.30.53}
control_plane=$network.2

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
# shellcheck source=bounded.sh
. "$here/bounded.sh"
# Where the cluster's certificates and its kubeconfig are. Not in the checkout: there is one cluster per machine.
state=${XDG_STATE_HOME:-$HOME/.local/state}/kvorum/kube
cache=${XDG_CACHE_HOME:-$HOME/.cache}/kvorum

fail() {
    echo "$*" >&2
    exit 1
}

say() {
    echo "$*" >&2
}

# wait_for SECONDS WHAT COMMAND...: until the command succeeds, five times a second; each try has what is left of them, thirty at most.
wait_for() {
    wait_seconds=$1
    wait_what=$2
    shift 2
    wait_until=$(($(date +%s) + wait_seconds))
    while :; do
        wait_left=$((wait_until - $(date +%s)))
        [ "$wait_left" -le 30 ] || wait_left=30
        [ "$wait_left" -ge 1 ] || wait_left=1
        bounded "$wait_left" "$@" >/dev/null 2>&1 && break
        if [ "$(date +%s)" -ge "$wait_until" ]; then
            say "$wait_what: not within $wait_seconds s. Tried: $*"
            return 1
        fi
        sleep 0.2
    done
}

# need COMMAND:PACKAGE...: all of them, or one sentence that says what to install.
need() {
    missing=
    for tool in "$@"; do
        command -v "${tool%%:*}" >/dev/null || missing="$missing ${tool##*:}"
    done
    [ -z "$missing" ] || fail "Missing:$missing. On Debian: apt-get install --no-install-recommends$missing"
}

need_docker() {
    need docker:docker.io
    timeout --foreground 20 docker version >/dev/null 2>&1 ||
        fail "Docker's engine does not answer: start it (dockerd, or systemctl start docker), or point DOCKER_HOST to one on this machine."
}

node_address() {
    echo "$network.$((10 + $1))"
}

containers() {
    docker ps --all --quiet --filter "label=$label"
}

# running control-plane, or running node-: the containers of that name which run.
running() {
    docker ps --quiet --filter "label=$label" --filter "name=$name-$1"
}
