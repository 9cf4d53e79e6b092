# Latchkey's image: `docker build -t latchkey .` or `podman build -t latchkey .`
# For a release, pin both by digest: --build-arg RUN_IMAGE=docker.io/library/eclipse-temurin:25-jre@sha256:…
ARG BUILD_IMAGE=docker.io/library/maven:3.9-eclipse-temurin-25
ARG RUN_IMAGE=docker.io/library/eclipse-temurin:25-jre

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
# The dependencies are made from the pom alone, so that their layer changes with the pom and not with the code. Embedded
# PostgreSQL is for the quick start: a replica that made its own ledger would protect nothing.
COPY pom.xml ./
RUN --mount=type=cache,target=/root/.m2 \
    mvn -B -q -ntp dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory=/build/lib \
        -DexcludeGroupIds=io.zonky.test,io.zonky.test.postgres \
    && find lib -exec touch -d 2026-01-01T00:00:00Z {} +
COPY .mvn .mvn
COPY openapi openapi
COPY src src
RUN --mount=type=cache,target=/root/.m2 \
    mvn -B -q -ntp -Dmaven.test.skip=true package

FROM ${RUN_IMAGE}
LABEL org.opencontainers.image.title="latchkey" \
      org.opencontainers.image.description="An HTTP idempotency-key gateway"
ENV LANG=C.UTF-8
COPY --from=build /build/lib /opt/latchkey/lib
COPY --from=build /build/target/latchkey.jar /opt/latchkey/latchkey.jar
# By number, so that runAsNonRoot can tell. Nothing in the image is writable for it; a read-only root needs a tmpfs at
# /tmp.
USER 10001:10001
WORKDIR /tmp
# 8080: calls. 9090: health, metrics, operators; never public.
EXPOSE 8080 9090
# The collector is named: with one CPU or under 2 GB the JVM would pick the serial one. More flags: JAVA_TOOL_OPTIONS.
# There is no HEALTHCHECK: the settings say where the management port is, so whoever writes them writes the probes.
ENTRYPOINT ["java", "-XX:+UseG1GC", "-XX:MaxRAMPercentage=70", "-XX:+ExitOnOutOfMemoryError", "-jar", "/opt/latchkey/latchkey.jar"]
CMD ["serve", "--config", "/etc/latchkey/latchkey.yaml"]
