# The tools of run.sh, base images or stand-ins for them, and the image itself. Sourced by it.

find_postgres() { find /usr/lib/postgresql /usr/pgsql-* -name initdb -path '*/bin/*' -printf '%h\n' 2>"$work/find.err" | sort -V | tail -n 1 || true; }

install_tools() {
  local packages=()
  [ "$(id -u)" != 0 ] || .ci/kubectl
  { has podman && has runc; } || packages+=(podman runc netavark iptables)
  has catatonit || packages+=(catatonit)
  [ -n "$(find_postgres)" ] || packages+=(postgresql)
  has curl || packages+=(curl)
  [ "${#packages[@]}" -gt 0 ] || return 0
  [ "$(id -u)" = 0 ] && has apt-get || skip "${packages[*]} missing, and only root on Debian can install here"
  say "Installing ${packages[*]}"
  { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${packages[@]}"; } \
    >"$work/apt.log" 2>&1 || { tail -n 5 "$work/apt.log"; skip "apt-get cannot install ${packages[*]}"; }
}

# Without the right to raise limits, podman's own defaults fail; crun fails on hybrid control groups.
configure_podman() {
  cat >"$work/containers.conf" <<EOF
[containers]
default_ulimits = ["nofile=20000:20000", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
EOF
  export CONTAINERS_CONF=$work/containers.conf
  podman info >"$work/info.log" 2>&1 || { tail -n 3 "$work/info.log"; skip "podman does not work here"; }
}

base_of() { sed -n "s/^ARG $1=//p" Dockerfile; }

jdk_home() {
  local home
  for home in ${JAVA_HOME:+"$JAVA_HOME"} /usr/lib/jvm/*; do
    if [ -x "$home/bin/jlink" ] && [ -f "$home/release" ] && grep -q '^JAVA_VERSION="25' "$home/release"; then
      printf '%s' "$home"
      return 0
    fi
  done
  return 1
}

# A root file system out of installed packages: enough for a shell, Maven and a JVM.
root_of_packages() {
  local root=$1
  mkdir -p "$root/usr/bin" "$root/usr/sbin" "$root/usr/lib" "$root/usr/lib64"
  # Not every machine has each of them; dpkg and ls name those it knows and fail for the rest.
  { dpkg -L base-files base-passwd libc6 libc-bin dash bash coreutils findutils grep sed tar gzip debianutils zlib1g \
      libtinfo6 libselinux1 libpcre2-8-0 libacl1 libattr1 libgmp10 libcrypt1 libgcc-s1 libstdc++6 libssl3 libssl3t64 \
      ca-certificates tzdata 2>"$work/dpkg.err" || true; } \
    | grep -v -E '^/usr/share/(doc|man|locale|info|lintian)/|^/\.$' | sort -u >"$work/files"
  printf '%s\n' /bin /lib /lib64 /sbin /etc/passwd /etc/group /etc/ssl/certs >>"$work/files"
  sed -e 's,^/,,' "$work/files" | { cd / && xargs -d '\n' ls -d 2>"$work/ls.err" || true; } | sort -u >"$work/there"
  tar -C / --no-recursion -cf - -T "$work/there" | tar -C "$root" -xf - --keep-directory-symlink
  cp -a /etc/ssl/certs "$root/etc/ssl/"
  mkdir -p "$root/tmp" "$root/root" "$root/proc" "$root/dev" "$root/sys"
  chmod 1777 "$root/tmp"
}

import() { # ROOT NAME
  tar -C "$1" -cf - . | podman import -q \
    -c 'ENV JAVA_HOME=/opt/java/openjdk' \
    -c 'ENV PATH=/opt/java/openjdk/bin:/usr/share/maven/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' \
    - "$2" >"$work/import.log"
}

make_stand_ins() {
  podman image exists "$STAND_IN/build" && podman image exists "$STAND_IN/run" && return 0
  local jdk root=$work/root
  jdk=$(jdk_home) || skip "the base images cannot be pulled, and there is no JDK 25 to make stand-ins with"
  has dpkg && has mvn || skip "the base images cannot be pulled, and stand-ins need dpkg and Maven"
  root_of_packages "$root"
  mkdir -p "$root/opt/java"
  "$jdk/bin/jlink" --output "$root/opt/java/openjdk" --strip-debug --no-man-pages --no-header-files \
    --generate-cds-archive --add-modules \
    java.se,jdk.unsupported,jdk.jcmd,jdk.crypto.ec,jdk.net,jdk.zipfs,jdk.jfr,jdk.management,jdk.management.agent \
    >"$work/jlink.log"
  import "$root" "$STAND_IN/run"
  rm -rf "$root/opt/java/openjdk"
  cp -aL "$jdk" "$root/opt/java/openjdk"
  rm -f "$root/opt/java/openjdk/lib/src.zip"
  mvn -B -q -ntp dependency:copy "-Dartifact=org.apache.maven:apache-maven:$MAVEN:tar.gz:bin" "-DoutputDirectory=$work" \
    >"$work/mvn.log"
  mkdir -p "$root/usr/share/maven"
  tar -xzf "$work/apache-maven-$MAVEN-bin.tar.gz" -C "$root/usr/share/maven" --strip-components=1
  import "$root" "$STAND_IN/build"
  rm -rf "$root"
}

base_arguments=()
choose_bases() {
  local build run
  build=$(base_of BUILD_IMAGE) run=$(base_of RUN_IMAGE)
  if timeout 120 podman pull -q "$run" >"$work/pull.log" 2>&1 && timeout 300 podman pull -q "$build" >>"$work/pull.log" 2>&1
  then
    say "Base images: $build, $run"
    return 0
  fi
  say "Base images cannot be pulled ($(tail -n 1 "$work/pull.log" | cut -c 1-120)): using stand-ins"
  make_stand_ins
  base_arguments=(--build-arg "BUILD_IMAGE=$STAND_IN/build" --build-arg "RUN_IMAGE=$STAND_IN/run")
}

build_image() {
  say "Building $IMAGE"
  podman build --format docker --pull=never --network=host "${base_arguments[@]}" -t "$IMAGE" . >"$work/build.log" 2>&1 \
    || { tail -n 40 "$work/build.log"; fail "the Dockerfile does not build"; }
  podman image inspect --format 'size {{.Size}} bytes, user {{.User}}' "$IMAGE"
}
