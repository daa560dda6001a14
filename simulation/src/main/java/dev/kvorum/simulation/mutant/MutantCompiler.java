package dev.kvorum.simulation.mutant;

import dev.kvorum.simulation.mutant.Mutant.Edit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles the sources that a mutant changes, against the classes of the others. */
final class MutantCompiler {
    private static final List<String> OPTIONS =
            List.of("-proc:none", "-nowarn", "-parameters", "-classpath", System.getProperty("java.class.path"));

    private final SourceTree sources;

    MutantCompiler(SourceTree sources) {
        this.sources = sources;
    }

    /** The bytes of the changed classes, by their names. */
    Map<String, byte[]> compile(Mutant mutant) throws IOException {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        if (javac == null) {
            throw new IllegalStateException("mutants need a JDK to run on, not only a runtime");
        }
        DiagnosticCollector<JavaFileObject> complaints = new DiagnosticCollector<>();
        try (Memory classes = new Memory(javac.getStandardFileManager(complaints, null, null))) {
            List<Source> changed = changed(mutant);
            if (!javac.getTask(null, classes, complaints, OPTIONS, null, changed)
                    .call()) {
                throw new IllegalStateException("mutant " + mutant.name() + " does not compile: "
                        + complaints.getDiagnostics().stream()
                                .map(Object::toString)
                                .collect(Collectors.joining("\n")));
            }
            return classes.bytes();
        }
    }

    private List<Source> changed(Mutant mutant) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Edit edit : mutant.edits()) {
            String known = texts.get(edit.file());
            texts.put(edit.file(), edit.applyTo(known == null ? sources.read(edit.file()) : known));
        }
        return texts.entrySet().stream()
                .map(entry -> new Source(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String file, String text) {
            super(URI.create("string:///" + file), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** Where the compiler leaves classes. */
    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> classes = new HashMap<>();

        Memory(JavaFileManager others) {
            super(others);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String name, Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/')), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return classes.computeIfAbsent(name, any -> new ByteArrayOutputStream());
                }
            };
        }

        Map<String, byte[]> bytes() {
            return classes.entrySet().stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey, entry -> entry.getValue().toByteArray()));
        }
    }
}
