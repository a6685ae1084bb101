import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { livingAhead, PAST_MIDNIGHT_MS } from './noon.ts'

/** Not BIFOLIA_…: those variables are the server's configuration. */
const binary =
  process.env.E2E_BINARY ?? fileURLToPath(new URL('../../bin/bifolia', import.meta.url))

const START_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 10_000
const BUILD_TIMEOUT_MS = 120_000

interface Person {
  id: string
  password: string
  transactionPassword: string
}

/** A demo's accounts. */
export interface Demo {
  /** A leader with downline, incomes and funds. */
  member: Person
  /** A member with a little of everything. */
  ordinary: Person
  operator: { email: string; password: string; secret: string }
}

export interface Server {
  url: string
  demo: Demo
  stop: () => Promise<void>
  /**
   * Ends it and serves the same data with other settings, at another address. `meanwhile` is what
   * happens to its folder while nothing serves it.
   */
  again: (more: readonly string[], meanwhile?: (folder: string) => Promise<void>) => Promise<Server>
}

const DEMO = ['--demo', ...livingAhead(PAST_MIDNIGHT_MS)]

/** One operator approves the requests of a whole test run, more than the usual limit. */
const CREDITS = ['--fund-alone-daily', '100000']

/** The smallest history, which is made in seconds. */
const SMALLEST = ['--members', '100', '--days', '20']

/**
 * Starts the server on a free port, with a demo's database in a temporary folder. `more` are
 * further settings, `size` is the size of the demo's history.
 */
export async function startServer(
  more: readonly string[] = [],
  size: readonly string[] = SMALLEST,
): Promise<Server> {
  if (!existsSync(binary)) {
    throw new Error(`There is no program at ${binary}: build it, or set E2E_BINARY to its path.`)
  }
  const folder = await mkdtemp(join(tmpdir(), 'bifolia-e2e-'))
  const made = await demoOf(size)
  await cp(made, folder, { recursive: true })
  return serve(folder, await demoIn(made), more)
}

/** Like startServer, with only the first member and the first operator. */
export async function startEmpty(more: readonly string[]): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'bifolia-e2e-'))
  return serve(folder, await begin(placeIn(folder)), more)
}

const placeIn = (folder: string) => [
  '--db',
  `sqlite:${join(folder, 'bifolia.db')}`,
  '--data-dir',
  folder,
]

async function serve(folder: string, demo: Demo, more: readonly string[]): Promise<Server> {
  const args = ['serve', ...DEMO, ...CREDITS, '--addr', '127.0.0.1:0', ...placeIn(folder), ...more]
  const child = spawn(binary, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  // If this process dies without a tear-down, the server dies too.
  const killWithUs = () => child.kill('SIGKILL')
  process.once('exit', killWithUs)

  const end = async () => {
    await terminate(child)
    process.off('exit', killWithUs)
  }
  const stop = async () => {
    await end()
    await rm(folder, { recursive: true, force: true })
  }
  const again: Server['again'] = async (others, meanwhile) => {
    await end()
    await meanwhile?.(folder)
    return serve(folder, demo, others)
  }
  try {
    const { url, outbox } = await announced(child)
    outboxes.set(url, outbox)
    return { url, demo, stop, again }
  } catch (error) {
    await stop()
    throw error
  }
}

interface SignIn {
  uid: string
  password: string
  transaction_password: string
}

const personOf = ({ uid, password, transaction_password }: SignIn): Person => ({
  id: uid,
  password,
  transactionPassword: transaction_password,
})

const demoFile = (folder: string) => `${folder}.json`
const demoIn = async (folder: string) =>
  JSON.parse(await readFile(demoFile(folder), 'utf8')) as Demo

/** The folder of a demo of this size, which the workers of a run build once between them. */
async function demoOf(size: readonly string[]): Promise<string> {
  const folder = join(process.env.E2E_DEMOS ?? '', size.join(''))
  try {
    await mkdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    for (const until = Date.now() + BUILD_TIMEOUT_MS; !existsSync(demoFile(folder)); ) {
      if (Date.now() > until) throw new Error(`No worker has built the demo in ${folder}.`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    return folder
  }
  const demo = await buildDemo(placeIn(folder), size)
  // Whole, or not there.
  await writeFile(`${folder}.part`, JSON.stringify(demo))
  await rename(`${folder}.part`, demoFile(folder))
  return folder
}

async function buildDemo(place: readonly string[], size: readonly string[]): Promise<Demo> {
  const { stdout } = await promisify(execFile)(binary, [
    'demo',
    '--json',
    ...DEMO,
    ...size,
    ...place,
  ])
  const { leader, member, operator } = JSON.parse(stdout) as {
    leader: SignIn
    member: SignIn
    operator: { email: string; password: string; totp_secret: string }
  }
  const { email, password, totp_secret } = operator
  return {
    member: personOf(leader),
    ordinary: personOf(member),
    operator: { email, password, secret: totp_secret },
  }
}

/** Initializes an installation as its operator does. */
async function begin(place: readonly string[]): Promise<Demo> {
  const operator = { email: 'owner@example.test', password: 'correct-horse-7' }
  const password = 'first-member-1'
  const { stdout } = await promisify(execFile)(binary, [
    'init',
    ...['--name', 'First Leaf', '--email', 'first@demo.example', '--mobile', '9876543210'],
    ...['--country', '99', '--password', password, '--operator-name', 'The Owner'],
    ...['--operator-email', operator.email, '--operator-password', operator.password],
    '--demo',
    ...place,
  ])
  const told = (pattern: RegExp) => pattern.exec(stdout)?.[1] ?? ''
  const member = {
    id: told(/first member is (\d+)/),
    password,
    transactionPassword: told(/transaction password, told once: (\S+)/),
  }
  return {
    member,
    ordinary: member,
    operator: { ...operator, secret: told(/secret, told once: (\S+)/) },
  }
}

/** The outbox folders of the servers of this process. */
const outboxes = new Map<string, string>()

/** The outbox of a demo as JSON: only its start prints the folder. */
export const outboxOf = (url: string): string => {
  const outbox = outboxes.get(url)
  if (!outbox) throw new Error(`No server was started at ${url}`)
  return `${outbox}/letters.json`
}

/** Resolves with the addresses that the server prints once it is ready. */
function announced(child: ChildProcess): Promise<{ url: string; outbox: string }> {
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
      const outbox = /Its mails are at (http:\/\/[^\s]+)\n/.exec(output)?.[1]
      if (!url || !outbox) return
      clearTimeout(timer)
      resolve({ url, outbox })
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.once('error', (error) => fail(`could not be started (${error.message})`))
    child.once('exit', (code) => fail(`ended with code ${code}`))
  })
}

/** Sends SIGTERM first; a server that does not end in time is killed, which is an error. */
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
