/** Chromium for pages: one browser for each process, tabs of people who are signed in, and what axe finds. */
import axe from 'axe-core'
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, chromium } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { type TestPerson, baseUrl } from '../api.ts'
import { chromiumPath } from '../identity/chromium.ts'
import { isSampled } from '../model-runs.ts'

/** Origin that passkeys are bound to. */
export const pagesUrl = baseUrl.replace('127.0.0.1', 'localhost')

export const PHONE = { width: 360, height: 740 }
export const DESK = { width: 1280, height: 900 }

declare global {
  /** Browser of the process, which serves one file after the other, and ends with the process. */
  var testBrowser: Promise<Browser> | undefined
}

async function findBrowser(): Promise<Browser> {
  const running = await globalThis.testBrowser
  if (running?.isConnected()) return running
  globalThis.testBrowser = chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  return globalThis.testBrowser
}

const contexts: BrowserContext[] = []

export type Tab = { readonly page: Page; readonly faults: string[] }

/** Opens a tab whose viewer is signed in, or not; it collects what the browser complains of. */
export async function openTab(viewer: TestPerson | null, options: BrowserContextOptions = {}): Promise<Tab> {
  const browser = await findBrowser()
  const context = await browser.newContext({ viewport: PHONE, baseURL: pagesUrl, ...options })
  contexts.push(context)
  if (viewer) {
    const { hostname: domain } = new URL(pagesUrl)
    await context.addCookies([{ name: 'session', value: viewer.token, domain, path: '/', sameSite: 'Strict' }])
  }
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('dialog', (dialog) => {
    faults.push(dialog.message())
    return dialog.dismiss()
  })
  return { page, faults }
}

afterAll(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()))
})

type Signing = Pick<TestPerson, 'email' | 'password'>
type Proving = { readonly code: (stepsAhead?: number) => Promise<string> }

/** Fills in the password of a person, as the page of the sign-in asks first. */
export async function givePassword(page: Page, { email, password }: Signing): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Signs a person in by their password and a code of their authenticator. */
export async function signInOn(page: Page, somebody: Signing & Proving): Promise<void> {
  await givePassword(page, somebody)
  await page.getByLabel('Code of your authenticator').fill(await somebody.code())
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Makes a passkey by the page of devices, proved by the next code of the authenticator. */
export async function makePasskey(page: Page, { code }: Proving): Promise<void> {
  await page.goto('/approve/devices')
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Make a passkey' }).click()
  await page.getByLabel('Code of your authenticator').fill(await code(1))
  await page.getByRole('button', { name: 'Confirm with code' }).click()
  await page.getByText('This device').first().waitFor()
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Number of pages of which one is looked at. Each commit looks at other ones, the long run at all. */
const PAGES_FOR_A_LOOK = 3
let shown = 0

/** Expects no complaint of the browser, and looks at a sample of pages. */
export async function expectSound({ page, faults }: Tab): Promise<void> {
  if (isSampled((shown += 1), PAGES_FOR_A_LOOK)) await lookAt(page)
  expect(faults).toEqual([])
}

/** Expects WCAG 2.2 AA, and no scrolling to the side. */
async function lookAt(page: Page): Promise<void> {
  // through the debugger, which no policy of the page forbids
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Runtime.evaluate', { expression: axe.source })
  const expression = `axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) =>
    JSON.stringify(violations.map(({ id, nodes }) => id + ': ' + nodes[0].html)))`
  const { result } = await devtools.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
  expect(JSON.parse(String(result.value)), page.url()).toEqual([])
  await expectNoSideways(page, 'as it is')
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  await expectNoSideways(page, 'with letters of twice the size')
  await page.evaluate(`document.documentElement.style.fontSize = ''`)
  const size = page.viewportSize() ?? PHONE
  await page.setViewportSize({ width: 320, height: size.height })
  await expectNoSideways(page, 'where 1,280 pixels are enlarged four times')
  await page.setViewportSize(size)
}

async function expectNoSideways(page: Page, how: string): Promise<void> {
  const isWider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
  expect(isWider, `${page.url()} scrolls to the side ${how}`).toBe(false)
}
