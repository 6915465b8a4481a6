#!/bin/sh
# chaos/peers/new-api/install.sh FOLDER: builds new-api from the Go module proxy as FOLDER/new-api. Needs Go 1.25 or later.
# Its web pages are built apart from it and are not part of the module, so that an empty page takes their place.
set -eu
version=v0.13.2
folder=${1:?Usage: install.sh FOLDER}
mkdir -p "$folder/module"
cd "$folder/module"
[ -f go.mod ] || go mod init peer
go mod download "github.com/QuantumNous/new-api@$version"
source=$(go mod download -json "github.com/QuantumNous/new-api@$version" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
rm -rf ../source
cp -r "$source" ../source
chmod -R u+w ../source
cd ../source
mkdir -p web/dist
echo '<!doctype html><title>new-api</title>' >web/dist/index.html
go build -o ../new-api .
