#!/bin/sh
# Compiles Token.sol into Token.json, with the hash of the source it came from.
# Needs node and the network: npm's solc is fetched into a folder of its own.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm install --silent --prefix "$work" solc@0.8.30 >/dev/null
NODE_PATH="$work/node_modules" node -e '
const fs = require("fs"), solc = require("solc");
const source = fs.readFileSync("Token.sol", "utf8");
const out = JSON.parse(solc.compile(JSON.stringify({
  language: "Solidity", sources: { "Token.sol": { content: source } },
  settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: "paris", metadata: { bytecodeHash: "none" },
    outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } } } })));
if (out.errors) { console.error(out.errors.map((e) => e.formattedMessage).join("\n")); process.exit(1); }
const token = out.contracts["Token.sol"].Token;
fs.writeFileSync("Token.json", JSON.stringify({
  solc: solc.version(), source: require("crypto").createHash("sha256").update(source).digest("hex"),
  abi: token.abi, bytecode: token.evm.bytecode.object }, null, 1) + "\n");
'
