import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A real chain, made for the test: it has a token, a wallet with 1,000 of it, and two nodes. */
export interface Chain {
  wallet: string
  /** The program's settings to pay from that wallet. */
  settings: string[]
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
}

export async function startChain(): Promise<Chain> {
  if (!existsSync(binary)) {
    throw new Error(
      `There is no chain at ${binary}: go test -c -o bin/chain.test ./internal/chain/chaintest`,
    )
  }
  const folder = await mkdtemp(join(tmpdir(), 'bifolia-chain-'))
  const child = spawn(binary, ['-test.run', '^TestServe$', '-test.timeout', '0'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, CHAIN_FOR_OTHERS: '1' },
  })
  const stop = async () => {
    await ended(child)
    await rm(folder, { recursive: true, force: true })
  }
  const { id, urls, token, key, wallet } = await firstLine(child)
  const keyFile = join(folder, 'wallet.key')
  await writeFile(keyFile, key, { mode: 0o600 })
  const settings = [
    ...['--chain-rpc-urls', urls.join(','), '--chain-allow-private', 'true'],
    ...['--chain-id', String(id), '--chain-token', token, '--chain-confirmations', '2'],
    ...['--hot-wallet-key-file', keyFile],
  ]
  return { wallet, settings, stop }
}

async function firstLine(child: ChildProcess): Promise<Told> {
  if (!child.stdout) throw new Error('The chain says nothing')
  for await (const line of createInterface(child.stdout)) return JSON.parse(line) as Told
  throw new Error('The chain ended before it said where it is')
}

/** It lives as long as its input; so it goes with this process too, should that be killed. */
function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.stdin?.end()
  })
}
