// Writes internal/people/passwords/weak/words.gz: what people choose as passwords first.
//
//   cd /tmp && npm pack zxcvbn@4.4.2 && tar xzf zxcvbn-4.4.2.tgz
//   node scripts/weakwords.mjs /tmp/package
//
// Sources are the password, name and word lists of zxcvbn (MIT), which were made from
// passwords that leaked, and our own internal/people/passwords/weak/own.txt. Words shorter than the
// shortest password are left out. The file is one sorted word to a line, in lower case.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'

const SHORTEST = 6
const from = process.argv[2]
const lists = createRequire(import.meta.url)(`${from}/lib/frequency_lists.js`)
const own = readFileSync('internal/people/passwords/weak/own.txt', 'utf8').split(/\s+/)
const words = new Set()
for (const word of [...lists.passwords, ...lists.female_names, ...lists.male_names, ...lists.surnames, ...lists.us_tv_and_film, ...own]) {
  if (word.length >= SHORTEST) words.add(word.toLowerCase())
}
writeFileSync('internal/people/passwords/weak/words.gz', gzipSync(`${[...words].sort().join('\n')}\n`, { level: 9 }))
writeFileSync('internal/people/passwords/weak/VERSION', `${JSON.parse(readFileSync(`${from}/package.json`, 'utf8')).version}\n`)
writeFileSync('internal/people/passwords/weak/LICENSE', readFileSync(`${from}/LICENSE.txt`))
console.log(`${words.size} words`)
