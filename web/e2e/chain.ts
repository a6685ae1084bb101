import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { PAST_MIDNIGHT_MS } from './noon.ts'

/** A real chain for the test, with a token, a wallet that has 1,000 of it, and two nodes. */
export interface Chain {
  wallet: string
  /** The company's address, for a server without an extended public key. */
  company: string
  /** The server's settings to watch that chain. */
  reading: string[]
  /** The server's settings to pay from that wallet too. */
  settings: string[]
  /** An extended public key for members' addresses. */
  xpub: string
  /** Pays exact dollars from outside; returns the transaction's hash. */
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

/** A block every second; a payment counts after `confirmations` of them. */
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
    // The cents identify an announced payment, so the amount is not rounded.
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

/** The chain ends with its input, so it also ends if this process is killed. */
function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.stdin?.end()
  })
}
