# Writes, reads and deletes a key through the cluster's service; in between, where KILL_POD is true, deletes a node's pod and reads again.
set -eu
entity="http://$CLUSTER:8080/v0/entity?id=helm-test-$(date +%s)"
value="written by helm test"
# Requests that a node's end interrupts are repeated: all of them may be.
attempts="--silent --show-error --max-time 10 --retry 10 --retry-delay 1 --retry-all-errors"

fail() {
    echo "$*" >&2
    exit 1
}

# status EXPECTED CURL-OPTION...
status() {
    expected=$1
    shift
    # shellcheck disable=SC2086 # Options, one each.
    answered=$(curl $attempts --output /dev/null --write-out '%{http_code}' "$@") || fail "No answer: curl $*"
    [ "$answered" = "$expected" ] || fail "Answered $answered instead of $expected: curl $*"
}

read_back() {
    # shellcheck disable=SC2086 # Options, one each.
    found=$(curl $attempts --fail "$entity") || fail "Could not read what was written."
    [ "$found" = "$value" ] || fail "Read \"$found\" instead of \"$value\"."
}

# kubernetes METHOD PATH: the API server's answer, one field a line.
kubernetes() {
    account=/var/run/secrets/kubernetes.io/serviceaccount
    curl --silent --show-error --max-time 10 --fail --cacert "$account/ca.crt" --header "Authorization: Bearer $(cat "$account/token")" --request "$1" \
        "https://kubernetes.default.svc/api/v1/namespaces/$NAMESPACE/$2"
}

# first FIELD: its first value in what is read; an object's own name and identity come before those of its parts.
first() { sed -n "s/^ *\"$1\": *\"\([^\"]*\)\".*/\1/p" | head -n 1; }

# Whether there is a pod of the deleted one's name, with another identity, and ready.
is_back() {
    now=$(kubernetes GET "pods/$pod?pretty=true" 2>/dev/null) || return 1
    [ "$(echo "$now" | first uid)" != "$uid" ] && echo "$now" | sed -n '/"type": "Ready"/,/}/p' | grep -q '"status": "True"'
}

kill_a_node() {
    nodes=app.kubernetes.io%2Fname%3Dkvorum-node%2Capp.kubernetes.io%2Finstance%3D$CLUSTER
    pod=$(kubernetes GET "pods?pretty=true&limit=1&labelSelector=$nodes" | first name)
    [ -n "$pod" ] || fail "The cluster $CLUSTER has no pods in namespace $NAMESPACE."
    uid=$(kubernetes GET "pods/$pod?pretty=true" | first uid)
    echo "Deleting pod $pod ..."
    kubernetes DELETE "pods/$pod" >/dev/null
    read_back
    waited=0
    until is_back; do
        [ "$waited" -lt "$READY_SECONDS" ] || fail "Pod $pod was deleted, and is not back and ready after $READY_SECONDS s."
        waited=$((waited + 1))
        sleep 1
    done
    read_back
    echo "Pod $pod is back."
}

status 201 --request PUT --data-binary "$value" "$entity"
read_back
[ "$KILL_POD" != true ] || kill_a_node
status 202 --request DELETE "$entity"
status 404 "$entity"
echo "Written, read and deleted."
