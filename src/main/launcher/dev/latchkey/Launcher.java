package dev.latchkey;

import java.lang.reflect.InvocationTargetException;

/// Where `java -jar` begins. Compiled for Java 8, so that an older Java can say in a sentence what is missing instead of
/// failing on the first class file it cannot read. It names no other class, and so loads none before the check.
public final class Launcher {

    private static final int NEEDED = 25;

    private Launcher() {}

    public static void main(String[] args) throws Throwable {
        String found = System.getProperty("java.specification.version");
        if (feature(found) < NEEDED) {
            System.err.println("Latchkey needs Java " + NEEDED + " or newer, but this is Java " + found + " ("
                    + System.getProperty("java.home") + "): start it with the java of a JDK or JRE " + NEEDED + ".");
            System.exit(2);
        }
        try {
            Class.forName("dev.latchkey.Main").getMethod("main", String[].class).invoke(null, (Object) args);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    /// 8 for "1.8", 25 for "25".
    private static int feature(String specification) {
        return Integer.parseInt(specification.startsWith("1.") ? specification.substring(2) : specification);
    }
}
