package dev.kvorum.e2e.kubernetes;

/**
 * An image that Kubernetes has, or can pull.
 *
 * @param repository without its tag
 */
record Image(String repository, String tag) {
    /** Of the nodes. */
    static Image node() {
        return of("KVORUM_IMAGE", "kvorum/node:0.1.0");
    }

    static Image operator() {
        return of("KVORUM_OPERATOR_IMAGE", "kvorum/operator:0.1.0");
    }

    /** One with sh and curl. */
    static Image client() {
        return of("KVORUM_CLIENT_IMAGE", "curlimages/curl:8.11.1");
    }

    private static Image of(String variable, String otherwise) {
        String name = System.getenv().getOrDefault(variable, otherwise);
        int colon = name.lastIndexOf(':');
        return new Image(name.substring(0, colon), name.substring(colon + 1));
    }

    @Override
    public String toString() {
        return repository + ":" + tag;
    }
}
