// @vitest-environment node
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const web = fileURLToPath(new URL('.', import.meta.url))

/** The linter reads the import alias from the TypeScript configuration of the package. */
const CONFIGS = [
  'biome.json',
  'package.json',
  'tsconfig.json',
  'tsconfig.app.json',
  'tsconfig.base.json',
]

interface Finding {
  category: string
  message: string
  location: { path: string }
}

/** Lints the given files with this configuration, in a temporary folder. */
function lint(files: Record<string, string>): Finding[] {
  const folder = mkdtempSync(join(tmpdir(), 'bifolia-lint-'))
  try {
    for (const config of CONFIGS) copyFileSync(join(web, config), join(folder, config))
    for (const [path, source] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), source)
    }
    const { stdout } = spawnSync(
      join(web, 'node_modules/.bin/biome'),
      ['lint', '--reporter=json', '--max-diagnostics=none'],
      { cwd: folder, encoding: 'utf8' },
    )
    return JSON.parse(stdout).diagnostics
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const REFUSED = [
  { from: 'src/lib', path: '@/features/site/landing/sections.ts', why: 'lowest floor' },
  { from: 'src/lib', path: '@/components/button.ts', why: 'lowest floor' },
  { from: 'src/lib', path: '../app/screens.ts', why: 'lowest floor' },
  { from: 'src/components', path: '@/features/site/landing/Landing.tsx', why: 'shared by every' },
  { from: 'src/components', path: '../features/site/landing/Landing.tsx', why: 'shared by every' },
  { from: 'src/components', path: '@/app/screens.ts', why: 'shared by every' },
  {
    from: 'src/features/site/auth',
    path: '@/features/site/landing/Landing.tsx',
    why: 'each other',
  },
  { from: 'src/features/site/auth', path: '../landing/Landing.tsx', why: 'each other' },
  { from: 'src/features/member/funds', path: '../../site/landing/Landing.tsx', why: 'each other' },
  { from: 'src/features/site/auth', path: '@/app/theme/mode.ts', why: 'each other' },
]

const ALLOWED = [
  { from: 'src/app', path: '@/features/site/landing/Landing.tsx' },
  { from: 'src/features/site/auth', path: './calls.ts' },
  { from: 'src/features/site/auth', path: '@/components/button.ts' },
  { from: 'src/features/site/auth', path: '@/lib/money.ts' },
  { from: 'src/components', path: '@/lib/strings/index.ts' },
  { from: 'src/lib', path: './money.ts' },
]

const importing = (path: string) => `import { x } from '${path}'\nexport const y = x\n`

it('refuses imports that go up or across, and says why', () => {
  const file = (index: number) => `${REFUSED[index]?.from}/case${index}.ts`
  const findings = lint(
    Object.fromEntries(REFUSED.map(({ path }, index) => [file(index), importing(path)])),
  ).filter(({ category }) => category === 'lint/style/noRestrictedImports')
  for (const [index, { why }] of REFUSED.entries()) {
    const reasons = findings.filter(({ location }) => location.path === file(index))
    expect(reasons.map(({ message }) => message)).toEqual([expect.stringContaining(why)])
  }
})

it('allows imports that go down', () => {
  const files = ALLOWED.map(({ from, path }, index) => [`${from}/case${index}.ts`, importing(path)])
  expect(lint(Object.fromEntries(files))).toEqual([])
})

it('refuses cycles, through the alias too', () => {
  const findings = lint({
    'src/lib/one.ts': importing('@/lib/two.ts'),
    'src/lib/two.ts': importing('./one.ts'),
  })
  const cycles = findings.filter(({ category }) => category === 'lint/suspicious/noImportCycles')
  expect(cycles.map(({ location }) => location.path).sort()).toEqual([
    'src/lib/one.ts',
    'src/lib/two.ts',
  ])
})
