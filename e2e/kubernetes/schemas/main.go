// Command schemas writes JSON schemas, one file per kind, as kubeconform reads them:
//
//	schemas swagger FILE DIR      of all kinds of a Kubernetes API description
//	schemas definition FILE DIR   of the kind that a CustomResourceDefinition defines
//
// A field that a schema does not name is an error: most mistakes in manifests are misspelled or misplaced fields.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

type object = map[string]any

const shared = "_definitions.json"

func main() {
	if len(os.Args) != 4 {
		fail(fmt.Errorf("usage: schemas swagger|definition FILE DIR"))
	}
	text, err := os.ReadFile(os.Args[2])
	fail(err)
	var read object
	fail(yaml.Unmarshal(text, &read))
	switch os.Args[1] {
	case "swagger":
		writeKinds(os.Args[3], read["definitions"].(object))
	case "definition":
		writeDefined(os.Args[3], read["spec"].(object))
	default:
		fail(fmt.Errorf("%q is neither swagger nor definition", os.Args[1]))
	}
}

func writeKinds(directory string, definitions object) {
	for name, definition := range definitions {
		definition := definition.(object)
		strict(definition)
		kinds, _ := definition["x-kubernetes-group-version-kind"].([]any)
		for _, kind := range kinds {
			kind := kind.(object)
			reference := object{"$ref": shared + "#/definitions/" + name}
			write(directory, fileName(kind["kind"].(string), kind["group"].(string), kind["version"].(string)), reference)
		}
	}
	// Written as strings, accepted as numbers too.
	definitions["io.k8s.apimachinery.pkg.api.resource.Quantity"] = object{"type": []string{"string", "number"}}
	definitions["io.k8s.apimachinery.pkg.util.intstr.IntOrString"] = object{"type": []string{"string", "integer"}}
	write(directory, shared, object{"definitions": definitions})
}

func writeDefined(directory string, spec object) {
	for _, version := range spec["versions"].([]any) {
		version := version.(object)
		schema := version["schema"].(object)["openAPIV3Schema"].(object)
		properties := schema["properties"].(object)
		for _, common := range []string{"apiVersion", "kind", "metadata"} {
			properties[common] = object{}
		}
		strict(schema)
		kind := spec["names"].(object)["kind"].(string)
		write(directory, fileName(kind, spec["group"].(string), version["name"].(string)), schema)
	}
}

// strict refuses fields that are not named, in all objects that name any.
func strict(schema object) {
	if _, names := schema["properties"].(object); names && schema["additionalProperties"] == nil {
		schema["additionalProperties"] = false
	}
	if schema["x-kubernetes-int-or-string"] == true {
		schema["type"] = []string{"string", "integer"}
		delete(schema, "anyOf")
	}
	for _, part := range schema {
		strictWithin(part)
	}
}

func strictWithin(part any) {
	switch part := part.(type) {
	case object:
		strict(part)
	case []any:
		for _, element := range part {
			strictWithin(element)
		}
	}
}

// fileName is what kubeconform makes of a kind: deployment-apps-v1.json, service-v1.json.
func fileName(kind, group, version string) string {
	parts := []string{strings.ToLower(kind)}
	if group != "" {
		parts = append(parts, strings.Split(group, ".")[0])
	}
	return strings.Join(append(parts, version), "-") + ".json"
}

func write(directory, name string, schema object) {
	text, err := json.Marshal(schema)
	fail(err)
	fail(os.WriteFile(filepath.Join(directory, name), text, 0o644))
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "schemas:", err)
		os.Exit(1)
	}
}
