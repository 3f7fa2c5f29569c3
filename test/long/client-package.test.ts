/** The clients packed from a fresh clone: they work in Node 20, in Node 24 and in a browser, with their types. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { baseUrl, person } from '../support/api.ts'
import { chromiumPath } from '../support/identity/chromium.ts'

const run = promisify(execFile)
/** The package grows by operations, each with its types. */
const PACKED_BYTES_AN_OPERATION_MAX = 300
const INSTALL_MS = 400_000

let folder: string
let user: string
let commandLine: Packed

type Packed = { readonly filename: string; readonly files: readonly { readonly path: string }[] }

const countOperations = (): number => {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: Record<string, object> }
  return Object.values(paths).flatMap((item) => Object.keys(item)).length
}

/** Packs a package as its publisher would. */
async function pack(cwd: string): Promise<Packed> {
  const { stdout } = await run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], { cwd })
  const [packed] = JSON.parse(stdout) as [Packed]
  return packed
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-'))
  const clone = join(folder, 'clone')
  await run('git', ['clone', '--quiet', '.', clone])
  await run('npm', ['ci', '--ignore-scripts'], { cwd: clone })
  // the first builds what it needs of the other, as nothing has been built
  commandLine = await pack(join(clone, 'clients/cli'))
  const { filename } = await pack(join(clone, 'clients/typescript'))
  user = join(folder, 'user')
  await mkdir(user)
  await writeFile(join(user, 'package.json'), '{"type": "module", "private": true}')
  await run('npm', ['install', '--no-audit', '--no-fund', join(folder, filename)], { cwd: user })
  await writeFile(join(user, 'program.js'), PROGRAM)
  expect((await stat(join(folder, filename))).size).toBeLessThan(PACKED_BYTES_AN_OPERATION_MAX * countOperations())
}, INSTALL_MS)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Signs in, makes an organization and meets a refusal; prints what it found. */
const PROGRAM = `
import { ServiceError, createClient, signIn, webhooks } from 'business-finance-client'
export async function journey(baseUrl, email, password) {
  const client = await signIn({ baseUrl }, { credentials: async () => ({ email, password }), code: async () => '' })
  const { id, name } = await client.createOrganization({ name: 'From the package' })
  const names = []
  for await (const one of client.listOrganizations({ limit: 1 })) names.push(one.name)
  const error = await client.getPayment({ payment_id: id }).catch((thrown) => thrown)
  return { name, names, type: error instanceof ServiceError && error.type, unwraps: typeof webhooks.unwrap }
}
const [baseUrl, email, password] = globalThis.process?.argv.slice(2) ?? []
if (baseUrl) console.log(JSON.stringify(await journey(baseUrl, email, password)))
`

const found = { name: 'From the package', names: ['From the package'], type: 'not_found', unwraps: 'function' }

test('the command line is packed with its code', () => {
  const paths = commandLine.files.map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(['bin/bfs.js', 'dist/main.js', 'dist/run.js']))
})

test.each(['20', '24'])('in Node %s', async (version) => {
  const { email, password } = await person()
  const args = ['exec', '--yes', `--package=node@${version}`, '--', 'node', 'program.js', baseUrl, email, password]
  const { stdout } = await run('npm', args, { cwd: user })
  expect(JSON.parse(stdout)).toEqual(found)
})

test('in Chromium, as a bundle', async () => {
  const { email, password } = await person()
  const bundle = join(folder, 'bundle.js')
  await build({
    entryPoints: [join(user, 'program.js')],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    minify: true,
    logLevel: 'silent',
  })
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    const files: Readonly<Record<string, string>> = {
      '/client/': '<!doctype html>',
      '/client/bundle.js': await readFile(bundle, 'utf8'),
    }
    await page.route(`${baseUrl}/client/**`, (route) => {
      const path = new URL(route.request().url()).pathname
      return route.fulfill({
        body: files[path] ?? '',
        contentType: path.endsWith('.js') ? 'text/javascript' : 'text/html',
      })
    })
    await page.goto(`${baseUrl}/client/`)
    const [origin, mail, secret] = [baseUrl, email, password].map((one) => JSON.stringify(one))
    // text, since an import in a function would be rewritten by the test runner
    const answer = await page.evaluate(
      `import(${origin} + '/client/bundle.js').then(({ journey }) => journey(${origin}, ${mail}, ${secret}))`,
    )
    expect(answer).toEqual(found)
  } finally {
    await browser.close()
  }
})

test('its types say what an operation takes', async () => {
  await writeFile(
    join(user, 'typed.ts'),
    `import { type Bill, type ErrorsOf, createClient } from 'business-finance-client'
const client = createClient({ baseUrl: '' })
export const amount = (bill: Bill): string | null => bill.amount
export const refused: ErrorsOf<'createPayment'> = 'contact_not_approved'
// @ts-expect-error the key is required
void client.createPayment({})
`,
  )
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022']
  const compiled = run('node_modules/.bin/tsc', [...options, '--ignoreConfig', join(user, 'typed.ts')])
  expect((await compiled.catch((error: { stdout: string }) => error)).stdout).toBe('')
})
