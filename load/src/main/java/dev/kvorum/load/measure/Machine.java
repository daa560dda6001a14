package dev.kvorum.load.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Where and on what something was measured.
 *
 * @param load   of the machine before the run: 1-, 5- and 15-minute averages; above 0.5 others were at work too
 * @param commit the sources', with "+changes" where the working copy differs from it
 */
public record Machine(
        String processor,
        int processors,
        long memoryMiB,
        String kernel,
        String system,
        String jvm,
        String load,
        String commit) {

    public static Machine here() throws IOException, InterruptedException {
        String changes = said(List.of("git", "status", "--porcelain", "--untracked-files=no"));
        return new Machine(
                valueIn("/proc/cpuinfo", "model name"),
                Runtime.getRuntime().availableProcessors(),
                Long.parseLong(valueIn("/proc/meminfo", "MemTotal").replaceAll("[^0-9]", "")) / 1024,
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                valueIn("/etc/os-release", "PRETTY_NAME").replace("\"", ""),
                System.getProperty("java.vm.vendor") + " " + System.getProperty("java.runtime.version"),
                Files.readString(Path.of("/proc/loadavg")).replaceFirst("^(\\S+ \\S+ \\S+).*\\s*", "$1"),
                said(List.of("git", "rev-parse", "--short=12", "HEAD")) + (changes.isEmpty() ? "" : "+changes"));
    }

    private static String valueIn(String file, String name) throws IOException {
        if (!Files.isReadable(Path.of(file))) {
            return "unknown";
        }
        return Files.readAllLines(Path.of(file)).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.replaceFirst("^[^:=]*[:=]\\s*", "").strip())
                .findFirst()
                .orElse("unknown");
    }

    /** What a command wrote; empty if it failed, as git does outside of a working copy. */
    private static String said(List<String> command) throws IOException, InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? output : "";
        } catch (IOException _) {
            return "";
        }
    }
}
