/// The manifests of `k8s/`, held against Kubernetes' own schema and against what the gateway needs.
@NullMarked
package dev.latchkey.kubernetes;

import org.jspecify.annotations.NullMarked;
