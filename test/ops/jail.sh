#!/bin/sh
# Runs a command as process 1 of its own namespaces, as a container would: the image's tree as a read-only root, /data alone writable, a user
# that has no name and no home. Arguments: the root folder (empty), the tree of the image, the folder of data, the user id, the command.
set -eu
root=$1 tree=$2 data=$3 user=$4
shift 4
mount -t tmpfs jail "$root"
for folder in usr lib lib64 bin etc; do
  [ -e "/$folder" ] || continue
  if [ -L "/$folder" ]; then cp -P "/$folder" "$root/$folder"; else
    mkdir "$root/$folder"
    mount --bind "/$folder" "$root/$folder"
    mount -o remount,bind,ro "$root/$folder"
  fi
done
mkdir "$root/canopy" "$root/data" "$root/proc" "$root/dev" "$root/tmp"
mount --bind "$tree" "$root/canopy"
mount -o remount,bind,ro "$root/canopy"
mount --bind "$data" "$root/data"
mount -t proc proc "$root/proc"
for device in null zero random urandom; do
  : > "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mount -o remount,ro "$root"
exec chroot --userspec="$user:0" --groups= "$root" /usr/bin/env --chdir=/canopy "$@"
