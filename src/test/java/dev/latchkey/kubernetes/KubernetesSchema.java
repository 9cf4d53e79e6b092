package dev.latchkey.kubernetes;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.JSON;
import java.lang.reflect.InvocationTargetException;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Kubernetes' own models as a strict schema: a kind of another group, an unknown member, a required one that is missing and a
/// value of the wrong type or form are refused, at any depth. It does not know enumerations, nor what one object needs of
/// another.
final class KubernetesSchema {

    private static final String PACKAGE = "io.kubernetes.client.openapi.";

    /// A quantity may be written as a text or as a number, and does not remember which.
    private static final JsonElement EITHER = new JsonArray();
    private static final Gson MODELS = JSON.getGson().newBuilder()
            .registerTypeAdapter(Quantity.class, (JsonSerializer<Quantity>) (_, _, _) -> EITHER)
            .create();

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
        same(manifest.kind(), manifest.json(), MODELS.toJsonTree(read));
    }

    private static Class<?> model(Manifest manifest) {
        String apiVersion = manifest.at("apiVersion").getAsString();
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "core" : apiVersion.substring(0, slash).replaceFirst("\\.k8s\\.io$", "");
        String version = capital(apiVersion.substring(slash + 1));
        String api = Stream.of(group.split("\\.")).map(KubernetesSchema::capital).collect(Collectors.joining());
        String creating = PACKAGE + "apis." + api + version + "Api$APIcreate";
        try {
            if (exists(creating + "Namespaced" + manifest.kind() + "Request")
                    || exists(creating + manifest.kind() + "Request")) {
                return Class.forName(PACKAGE + "models." + version + manifest.kind());
            }
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("a kind that can be created has no model", e);
        }
        throw new IllegalArgumentException("Kubernetes knows no " + manifest.kind() + " of " + apiVersion);
    }

    private static boolean exists(String type) {
        try {
            Class<?> _ = Class.forName(type, false, JSON.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException _) {
            return false;
        }
    }

    private static String capital(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    private static void same(String where, JsonElement written, JsonElement read) {
        if (written instanceof JsonObject members) {
            for (Map.Entry<String, JsonElement> member : members.entrySet()) {
                JsonElement counterpart = read.getAsJsonObject().get(member.getKey());
                require(counterpart != null, where + "." + member.getKey() + " was not understood");
                same(where + "." + member.getKey(), member.getValue(), counterpart);
            }
        } else if (written instanceof JsonArray elements) {
            require(read.getAsJsonArray().size() == elements.size(), where + " was not understood whole");
            for (int i = 0; i < elements.size(); i++) {
                same(where + "[" + i + "]", elements.get(i), read.getAsJsonArray().get(i));
            }
        } else if (!read.equals(EITHER)) {
            require(kind(written).equals(kind(read)),
                    where + " is a " + kind(written) + " and should be a " + kind(read));
        }
    }

    private static void require(boolean fit, String problem) {
        if (!fit) {
            throw new IllegalArgumentException(problem);
        }
    }

    private static String kind(JsonElement leaf) {
        if (!(leaf instanceof JsonPrimitive value)) {
            return "thing without a value";
        }
        return value.isString() ? "text" : value.isBoolean() ? "boolean" : "number";
    }
}
