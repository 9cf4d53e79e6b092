package dev.latchkey.kubernetes;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.kubernetes.client.openapi.JSON;
import java.lang.reflect.InvocationTargetException;
import java.util.Locale;
import java.util.Map;

/// Kubernetes' own models as a strict schema: an unknown member, a required one that is missing and a value of the wrong
/// type or form are refused, at any depth. It does not know enumerations, nor what one object needs of another.
final class KubernetesSchema {

    private KubernetesSchema() {}

    /// @throws IllegalArgumentException saying what is wrong where
    static void check(Manifest manifest) {
        Class<?> model = model(manifest);
        try {
            model.getMethod("validateJsonElement", JsonElement.class).invoke(null, manifest.json());
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(manifest.kind() + " " + manifest.name() + ": " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(model + " cannot be asked", e);
        }
        Object read = JSON.deserialize(manifest.json().toString(), model);
        // What the models understood otherwise than it was written, such as a number for a text, shows on the way back.
        JsonElement back = JSON.getGson().toJsonTree(read);
        sameShape(manifest.kind(), manifest.json(), back);
    }

    private static Class<?> model(Manifest manifest) {
        String version = manifest.at("apiVersion").getAsString().replaceFirst("^.*/", "");
        String name = version.substring(0, 1).toUpperCase(Locale.ROOT) + version.substring(1) + manifest.kind();
        try {
            return Class.forName("io.kubernetes.client.openapi.models." + name);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("Kubernetes knows no " + name, e);
        }
    }

    private static void sameShape(String where, JsonElement written, JsonElement read) {
        if (written instanceof JsonObject members) {
            for (Map.Entry<String, JsonElement> member : members.entrySet()) {
                JsonElement counterpart = read.getAsJsonObject().get(member.getKey());
                if (counterpart == null) {
                    throw new IllegalArgumentException(where + "." + member.getKey() + " was not understood");
                }
                sameShape(where + "." + member.getKey(), member.getValue(), counterpart);
            }
        }
    }
}
