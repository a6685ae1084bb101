import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Not BIFOLIA_…: such variables are the program's own configuration. */
export const binary =
  process.env.E2E_BINARY ?? fileURLToPath(new URL('../../bin/bifolia', import.meta.url))

const START_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 10_000

/** Whom a new demo has, with what it tells once. */
export interface Demo {
  member: { id: string; password: string; transactionPassword: string }
  operator: { email: string; password: string }
}

export interface Server {
  url: string
  demo: Demo
  stop: () => Promise<void>
}

/** Starts the real program on a free port, with a database and a folder of its own. */
export async function startServer(): Promise<Server> {
  if (!existsSync(binary)) {
    throw new Error(`There is no program at ${binary}: build it, or set E2E_BINARY to its path.`)
  }
  const folder = await mkdtemp(join(tmpdir(), 'bifolia-e2e-'))
  return serve(['--db', `sqlite:${join(folder, 'bifolia.db')}`, '--data-dir', folder], folder)
}

/** Serves a demo with these settings; `folder` goes when it stops. */
export async function serve(settings: readonly string[], folder: string): Promise<Server> {
  const args = ['serve', '--demo', '--addr', '127.0.0.1:0', ...settings]
  const child = spawn(binary, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  // Should this process die without a tear-down, the program goes with it.
  const killWithUs = () => child.kill('SIGKILL')
  process.once('exit', killWithUs)

  const stop = async () => {
    await terminate(child)
    process.off('exit', killWithUs)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    return { ...(await announced(child)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const MEMBER = /first member +(\d+), password (\S+), transaction password (\S+)/
const OPERATOR = /operator +(\S+), password (\S+)/

function demoIn(output: string): Demo {
  const [, id = '', password = '', transactionPassword = ''] = MEMBER.exec(output) ?? []
  const [, email = '', operatorPassword = ''] = OPERATOR.exec(output) ?? []
  return {
    member: { id, password, transactionPassword },
    operator: { email, password: operatorPassword },
  }
}

/** Resolves with what the program prints once it answers: its address, and who is in it. */
function announced(child: ChildProcess): Promise<{ url: string; demo: Demo }> {
  return new Promise((resolve, reject) => {
    let output = ''
    const fail = (reason: string) => {
      clearTimeout(timer)
      reject(new Error(`${binary} ${reason}. Its output:\n${output}`))
    }
    const timer = setTimeout(() => fail('did not say where it is'), START_TIMEOUT_MS)
    const listen = (chunk: Buffer) => {
      output += chunk.toString()
      const url = /Bifolia is at (http:\/\/[^\s]+)/.exec(output)?.[1]
      if (!url) return
      clearTimeout(timer)
      resolve({ url, demo: demoIn(output) })
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.once('error', (error) => fail(`could not be started (${error.message})`))
    child.once('exit', (code) => fail(`ended with code ${code}`))
  })
}

/** Asks first; a program that does not end in time is killed, and that is an error. */
async function terminate(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  let overdue = false
  const timer = setTimeout(() => {
    overdue = true
    child.kill('SIGKILL')
  }, STOP_TIMEOUT_MS)
  await ended
  clearTimeout(timer)
  if (overdue) throw new Error(`The server did not end within ${STOP_TIMEOUT_MS} ms of SIGTERM.`)
}
