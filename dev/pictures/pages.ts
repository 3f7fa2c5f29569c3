/** Pages that are photographed: the inbox on a phone, a company after its first hour, runs in the Temporal UI. */
import packaged from '@sparticuz/chromium'
import { type Browser, type Page, chromium } from 'playwright-core'
import sharp from 'sharp'

import { approve, client, follow, organization_id, ready, sessionToken, signIn } from '../demo/caller.ts'
import { MARKS } from '../demo/request-kinds.ts'
import { CannotStart } from '../terminal.ts'
import { walkCompany } from '../walk/walk.ts'
import { hashOf, linesOf, linesWithoutFigures, stepsOf } from './words.ts'

/** Picture with what its page says, by which a later page is compared. */
export type Picture = { readonly file: string; readonly image: Buffer; readonly lines: readonly string[] }
type Shot = { readonly image: Buffer; readonly text: string; readonly style: string }

const PHONE = { width: 390, height: 844 }
const UI = { width: 1440, height: 1330 }
const PATIENCE_MS = 90_000
const GAP = 24
const SCALE = 2

export async function photographAll(): Promise<Picture[]> {
  await signIn()
  const { data } = await client.listApprovals({ organization_id, status: 'pending', limit: 100 })
  const find = (mark: string) => {
    const found = data.find(({ summary }) => summary?.includes(mark))
    if (!found) throw new CannotStart(`The demo has no request about ${mark}.`)
    return found
  }
  const changed = find(MARKS.changed)
  const bank = find(MARKS.bank)
  const run = `payment-${bank.target_id}`
  const browser = await chromium.launch({ executablePath: await packaged.executablePath(), args: ['--no-sandbox'] })
  try {
    const phones = await onPhones(browser, 'docs/approve.png', ['/approve', `/approve/${changed.approval_id}`])
    const waiting = await ofRun(browser, 'docs/temporal-waiting.png', run, showWait)
    await approve(bank.approval_id)
    await follow(
      () => client.getPayment({ payment_id: bank.target_id }),
      ({ status }) => status === 'succeeded',
    )
    const steps = await ofRun(browser, 'docs/temporal-run.png', run, showSteps)
    return [phones, await ofCompany(browser), waiting, steps]
  } finally {
    await browser.close()
  }
}

/** Walks the first hour of a company, and photographs its Home. */
async function ofCompany(browser: Browser): Promise<Picture> {
  const page = await walkCompany(browser)
  const { image, text, style } = await shoot(page)
  await page.context().close()
  const lines = [...linesWithoutFigures(text), `style ${hashOf(style)}`]
  return { file: 'docs/company.png', image: await small(image, page.viewportSize()?.width ?? UI.width), lines }
}

/** Photographs pages of approvers side by side, each on a phone. */
async function onPhones(browser: Browser, file: string, paths: readonly string[]): Promise<Picture> {
  const shots: Shot[] = []
  for (const path of paths) {
    const context = await browser.newContext({ viewport: PHONE, deviceScaleFactor: SCALE, colorScheme: 'light' })
    await context.addCookies([{ name: 'session', value: sessionToken(), url: ready.api_url }])
    const page = await context.newPage()
    await page.goto(ready.api_url + path)
    shots.push(await shoot(page))
    await context.close()
  }
  const width = (PHONE.width * shots.length + GAP * (shots.length - 1)) * SCALE
  const sheet = sharp({ create: { width, height: PHONE.height * SCALE, channels: 3, background: '#fff' } })
  sheet.composite(
    shots.map(({ image }, index) => ({ input: image, left: index * (PHONE.width + GAP) * SCALE, top: 0 })),
  )
  return {
    file,
    image: await small(await sheet.png().toBuffer(), width / SCALE),
    lines: [
      ...shots.flatMap(({ text }) => linesOf(text)),
      `style ${hashOf(shots.map(({ style }) => style).join('\n'))}`,
    ],
  }
}

type Show = (page: Page) => Promise<unknown>

const showWait: Show = async (page) => {
  await page.getByText('viewPayment').first().waitFor({ timeout: PATIENCE_MS })
  await page.getByText('User Metadata', { exact: true }).click()
  // the UI renders texts of workflows in frames
  await page.frameLocator('iframe[src*="Waits"]').getByText('Waits for approval').waitFor({ timeout: PATIENCE_MS })
}

/** Shows the steps one after the other, the first on top. */
const showSteps: Show = async (page) => {
  await page.getByText('pollPayout').first().waitFor({ timeout: PATIENCE_MS })
  await page.getByRole('button', { name: 'Descending' }).click()
  await page.getByText('Compact', { exact: true }).click()
  await page.getByRole('button', { name: 'Ascending' }).waitFor()
}

/** Photographs a page of a run. Its words are our steps and waits: the rest is the UI's. */
async function ofRun(browser: Browser, file: string, workflowId: string, show: Show): Promise<Picture> {
  const context = await browser.newContext({ viewport: UI, colorScheme: 'light' })
  const page = await context.newPage()
  await page.goto(`${ready.temporal_ui_url}/namespaces/default/workflows/${workflowId}`)
  await show(page)
  const { image, text } = await shoot(page)
  await context.close()
  return { file, image: await small(image, UI.width), lines: stepsOf(text) }
}

async function shoot(page: Page): Promise<Shot> {
  const texts = await Promise.all(page.frames().map((frame) => frame.evaluate<string>('document.body.innerText')))
  const style = await page.evaluate<string>(
    `[...document.styleSheets].flatMap((one) => [...one.cssRules]).map((one) => one.cssText).join('\\n')`,
  )
  return { image: await page.screenshot(), text: texts.join('\n'), style }
}

const small = (image: Buffer, width: number): Promise<Buffer> =>
  sharp(image).resize({ width }).png({ palette: true }).toBuffer()
