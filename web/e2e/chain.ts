import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { PAST_MIDNIGHT_MS } from './noon.ts'

/** A real chain, made for the test: it has a token, a wallet with 1,000 of it, and two nodes. */
export interface Chain {
  wallet: string
  /** Where a server that has no extended public key tells everybody to pay to. */
  company: string
  /** The program's settings to see that chain. */
  reading: string[]
  /** The program's settings to pay from that wallet too. */
  settings: string[]
  /** An extended public key for members' addresses. */
  xpub: string
  /** Pays dollars from outside, to the millionth; answers the transaction's hash. */
  pay: (to: string, dollars: string) => Promise<string>
  stop: () => Promise<void>
}

const binary =
  process.env.E2E_CHAIN ?? fileURLToPath(new URL('../../bin/chain.test', import.meta.url))

interface Told {
  id: number
  urls: string[]
  token: string
  key: string
  wallet: string
  company: string
  xpub: string
}

/** Each second has a block; `confirmations` is after how many a payment counts. */
export async function startChain(confirmations = 2): Promise<Chain> {
  if (!existsSync(binary)) {
    throw new Error(
      `There is no chain at ${binary}: go test -c -o bin/chain.test ./internal/cash/chain/chaintest`,
    )
  }
  const folder = await mkdtemp(join(tmpdir(), 'bifolia-chain-'))
  const child = spawn(binary, ['-test.run', '^TestServe$', '-test.timeout', '0'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, CHAIN_FOR_OTHERS: '1', CHAIN_AHEAD: `${PAST_MIDNIGHT_MS}ms` },
  })
  const stop = async () => {
    await ended(child)
    await rm(folder, { recursive: true, force: true })
  }
  const lines = linesOf(child)
  const next = async <Answer>() => {
    const { done, value } = await lines.next()
    if (done) throw new Error('The chain ended before it answered')
    return JSON.parse(value) as Answer
  }
  const { id, urls, token, key, wallet, company, xpub } = await next<Told>()
  const keyFile = join(folder, 'wallet.key')
  await writeFile(keyFile, key, { mode: 0o600 })
  const reading = [
    ...['--chain-rpc-urls', urls.join(','), '--chain-allow-private', 'true'],
    ...['--chain-id', String(id), '--chain-token', token],
    ...['--chain-confirmations', String(confirmations), '--chain-receiver', company],
  ]
  const settings = [...reading, '--hot-wallet-key-file', keyFile]
  const pay = async (to: string, dollars: string) => {
    // Announced payments are told apart by the part of a dollar: it is not rounded to cents.
    const payment = { to, micros: Math.round(Number(dollars) * 1_000_000) }
    child.stdin?.write(`${JSON.stringify(payment)}\n`)
    return (await next<{ hash: string }>()).hash
  }
  return { wallet, company, reading, settings, xpub, pay, stop }
}

function linesOf({ stdout }: ChildProcess): AsyncIterator<string> {
  if (!stdout) throw new Error('The chain says nothing')
  return createInterface(stdout)[Symbol.asyncIterator]()
}

/** It lives as long as its input; so it goes with this process too, should that be killed. */
function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.stdin?.end()
  })
}
