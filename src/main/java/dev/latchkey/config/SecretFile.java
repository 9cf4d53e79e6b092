package dev.latchkey.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/// A file that holds one secret. It is looked at on each reading and read again when it has changed; while it is gone,
/// empty or unreadable, the last good text stays. Safe for any number of threads.
final class SecretFile {

    private static final long LARGEST = 64 * SizeText.KIB;

    private final Path path;
    private volatile Reading last;

    private SecretFile(Path path, Reading first) {
        this.path = path;
        this.last = first;
    }

    /// @throws IllegalArgumentException if it cannot be read, saying why
    static SecretFile at(String written) {
        // As it was written: a path puts two slashes together, and a secret that stands here by mistake would be shown.
        String shown = Quoted.of(written);
        Path path;
        try {
            path = Path.of(written);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(shown + " is not the path of a file", e);
        }
        try {
            return new SecretFile(path, read(path, Stamp.of(path)));
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("the file " + shown + " does not exist", e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("the file " + shown + " is not UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the file " + shown + " cannot be read: " + reason(path), e);
        }
    }

    String text() {
        Reading known = last;
        try {
            Stamp stamp = Stamp.of(path);
            if (stamp.equals(known.stamp())) {
                return known.text();
            }
            Reading fresh = read(path, stamp);
            if (fresh.text().isEmpty()) {
                return known.text();
            }
            last = fresh;
            return fresh.text();
        } catch (IOException e) {
            return known.text();
        }
    }

    private static Reading read(Path path, Stamp stamp) throws IOException {
        if (stamp.size() > LARGEST) {
            throw new IOException("too large");
        }
        String text = StandardCharsets.UTF_8
                .newDecoder()
                .decode(java.nio.ByteBuffer.wrap(Files.readAllBytes(path)))
                .toString();
        return new Reading(stamp, text.replaceFirst("\\r?\\n\\z", ""));
    }

    private static String reason(Path path) {
        if (Files.isDirectory(path)) {
            return "it is a folder";
        }
        return Files.isReadable(path) ? "it is larger than " + SizeText.format(LARGEST) : "this user may not read it";
    }

    private record Reading(Stamp stamp, String text) {}

    /// What changes when a file is written anew or another one is put in its place.
    private record Stamp(FileTime modified, long size, @Nullable Object file) {

        static Stamp of(Path path) throws IOException {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
        }
    }
}
