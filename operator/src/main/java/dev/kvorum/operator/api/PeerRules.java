package dev.kvorum.operator.api;

/**
 * Rules about the peers of a NetworkPolicy, as details of their schema. The API server knows them only when the operator makes the policy, which is too late for the user. Networks are
 * described by a pattern: CEL compares them since Kubernetes 1.30, and Kvorum supports 1.29.
 *
 * <p>They are rules of CEL, not patterns of the schema, because the operator would leave a whole cluster alone for a stored value that its schema does not allow.
 */
final class PeerRules {
    private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final String IPV4 = "(" + OCTET + "[.]){3}" + OCTET + "/(3[0-2]|[12]?[0-9])";
    private static final String GROUP = "[0-9a-fA-F]{1,4}";
    private static final String SOME_GROUPS = "(" + GROUP + "(:" + GROUP + "){0,6})?";
    private static final String IPV6 = "(" + GROUP + "(:" + GROUP + "){7}|" + SOME_GROUPS + "::" + SOME_GROUPS
            + ")/(12[0-8]|1[01][0-9]|[1-9]?[0-9])";
    private static final String NETWORK = "^(" + IPV4 + "|" + IPV6 + ")$";
    private static final String NAME = "[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?";
    private static final String LABEL = "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?" + NAME + "$";
    private static final String VALUE = "^(" + NAME + ")?$";

    private static final String IP_BLOCK = """
        {
          "properties": {
            "cidr": {"maxLength": 64},
            "except": {"maxItems": 64, "items": {"maxLength": 64}}
          },
          "x-kubernetes-validations": [
            {
              "rule": "has(self.cidr) && self.cidr.matches('\
        """ + NETWORK + """
        ')",
              "message": "cidr must be a network such as 10.0.0.0/8 or fd00::/8"
            },
            {
              "rule": "!has(self.except) || self.except.all(network, network.matches('\
        """ + NETWORK + """
        '))",
              "message": "each of except must be a network within cidr"
            }
          ]
        }
        """;

    private static final String SELECTOR = """
        {
          "properties": {
            "matchLabels": {"maxProperties": 64, "additionalProperties": {"maxLength": 63}},
            "matchExpressions": {
              "maxItems": 16,
              "items": {
                "properties": {
                  "key": {"maxLength": 317},
                  "operator": {"maxLength": 16},
                  "values": {"maxItems": 64, "items": {"maxLength": 63}}
                },
                "x-kubernetes-validations": [
                  {
                    "rule": "has(self.key) && self.key.matches('\
        """ + LABEL + """
        ')",
                    "message": "key must be the name of a label"
                  },
                  {
                    "rule": "has(self.operator) && self.operator in ['In', 'NotIn', 'Exists', 'DoesNotExist']",
                    "message": "operator must be In, NotIn, Exists or DoesNotExist"
                  },
                  {
                    "rule": "(has(self.operator) && self.operator in ['In', 'NotIn']) == (has(self.values) && size(self.values) > 0)",
                    "message": "In and NotIn need values, and the others have none"
                  },
                  {
                    "rule": "!has(self.values) || self.values.all(value, value.matches('\
        """ + VALUE + """
        '))",
                    "message": "values must be values of labels"
                  }
                ]
              }
            }
          },
          "x-kubernetes-validations": [
            {
              "rule": "!has(self.matchLabels) || self.matchLabels.all(name, self.matchLabels[name].matches('\
        """ + VALUE + """
        '))",
              "message": "the values of matchLabels must be values of labels"
            }
          ]
        }
        """;

    /** What the schema of a peer has beside its types. */
    static final String PEER =
            """
                {
                  "properties": {"ipBlock":\
                """ + IP_BLOCK + ", \"namespaceSelector\": " + SELECTOR + ", \"podSelector\": " + SELECTOR + """
                },
                  "x-kubernetes-validations": [
                    {
                      "rule": "has(self.podSelector) || has(self.namespaceSelector) || has(self.ipBlock)",
                      "message": "each of spec.monitoring.from must have a podSelector, a namespaceSelector or an ipBlock"
                    },
                    {
                      "rule": "!has(self.ipBlock) || (!has(self.podSelector) && !has(self.namespaceSelector))",
                      "message": "an ipBlock must stand alone, without podSelector and namespaceSelector"
                    }
                  ]
                }
                """;

    private PeerRules() {}
}
