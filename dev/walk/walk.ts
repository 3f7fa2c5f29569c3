/** First hour of a company, on pages alone: each check walks it in a browser. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { writeXlsx } from 'hucre/xlsx'
import { ready } from '../demo/caller.ts'
import { invoice } from '../demo/invoice.ts'
import { CannotStart } from '../terminal.ts'
import { addAuthenticator } from './authenticator.ts'
import { mailTo } from './mailbox.ts'

const PASSWORD = 'four words of a walk'
const OWNER = 'ada@hofladen.example'
const COLLEAGUE = 'ben@hofladen.example'
const COMPANY = 'Hofladen Brandt GmbH'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const WAGES = [
  ['account_holder_name', 'bank_country', 'iban', 'amount', 'currency', 'payout_reason', 'statement_description'],
  ['Aino Virtanen', 'FI', 'FI2112345600000785', '1902.25', 'EUR', 'salary', 'November'],
  ['Jan de Vries', 'NL', 'NL91ABNA0417164300', '1750.00', 'EUR', 'salary', 'November'],
]
const DESK = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }

/**
 * Walks a company from nothing: an account, people, a payee, a payment, a bill, a batch, an invoice, a statement. Answers
 * the page of its owner, at its Home.
 */
export async function walkCompany(browser: Browser): Promise<Page> {
  const desk = await deviceOf(browser, DESK)
  await signUp(desk, OWNER, ['Ada', 'Brandt'])
  await createCompany(desk)
  await invite(desk, COLLEAGUE)
  const phone = await deviceOf(browser, PHONE)
  await join(phone, COLLEAGUE)
  await makePasskey(phone, COLLEAGUE)
  await addPayee(desk)
  await receiveMoney(desk)
  await pay(desk)
  await approveAll(phone, 1)
  await handInBill(desk)
  await importBatch(desk)
  await approveAll(phone, 2)
  await sendInvoice(desk)
  await takeStatement(desk)
  return desk
}

async function deviceOf(browser: Browser, viewport: { width: number; height: number }): Promise<Page> {
  const context: BrowserContext = await browser.newContext({
    viewport,
    baseURL: ready.api_url,
    colorScheme: 'light',
    deviceScaleFactor: 1,
  })
  context.setDefaultTimeout(8000)
  const page = await context.newPage()
  await addAuthenticator(page)
  return page
}

async function signUp(page: Page, email: string, [first, last]: readonly [string, string]): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('First name').fill(first)
  await page.getByLabel('Last name').fill(last)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('heading', { name: 'Look at your mail' }).waitFor()
  const { url } = await mailTo(email, /confirm/i)
  await page.goto(url ?? '')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Confirm' }).click()
}

async function createCompany(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Create your company' }).waitFor()
  await page.getByLabel('Name of the company').fill(COMPANY)
  await page.getByLabel('Country').selectOption('DE')
  await page.getByLabel('Time zone').selectOption('Europe/Berlin')
  await page.getByRole('button', { name: 'Create the company' }).click()
  await page.getByRole('heading', { name: COMPANY }).waitFor()
}

async function invite(page: Page, email: string): Promise<void> {
  await page.getByRole('link', { name: 'Company', exact: true }).click()
  await page.getByRole('link', { name: 'People' }).click()
  await page.getByRole('link', { name: 'Invite people' }).click()
  await page.getByLabel('E-mail addresses').fill(email)
  await page.getByLabel('Role', { exact: true }).selectOption('admin')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByText('Invited. Each link').waitFor()
}

async function join(page: Page, email: string): Promise<void> {
  const { url } = await mailTo(email, /invit/i)
  await page.goto(url ?? '')
  await page.getByLabel('First name').fill('Ben')
  await page.getByLabel('Last name').fill('Voss')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByLabel('First name').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('heading', { name: COMPANY }).waitFor()
}

/** Makes a passkey on the device of a person, who proves the address that they came by. */
async function makePasskey(page: Page, email: string): Promise<void> {
  await page.goto('/approve/devices')
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Make a passkey' }).click()
  await page.getByRole('heading', { name: 'Confirm it is you' }).waitFor()
  const { code } = await mailTo(email, /code/i)
  await page.getByLabel('Code of the message').fill(code ?? '')
  await page.getByRole('button', { name: 'Confirm with code' }).click()
  await page.getByText('This device').first().waitFor()
}

async function addPayee(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: 'Payees', exact: true }).click()
  await page.getByRole('link', { name: 'Add a payee' }).first().click()
  await page.getByLabel('Country').selectOption('DE')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Werkhof Möbel GmbH')
  await page.getByLabel('Account holder').fill('Werkhof Möbel GmbH')
  await page.getByLabel('IBAN').fill('DE02120300000000202051')
  await page.getByLabel('Town').fill('Köln')
  await page
    .getByRole('button', { name: 'Ask for approval' })
    .or(page.getByRole('button', { name: 'Add' }))
    .click()
  await page.getByText('It can be paid now.').waitFor()
}

/** Lets money arrive, as a customer of the company would send it. */
async function receiveMoney(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await page.getByRole('link', { name: 'Receive money' }).first().click()
  await page.getByText('IBAN').first().waitFor({ timeout: 20_000 })
  const organizationId = idIn(page, 'o')
  await sandbox('/sandbox/deposits', {
    organization_id: organizationId,
    rail: 'fiat',
    amount: { amount: '9000.00', currency: 'EUR' },
  })
}

/** Finds the id behind a word in the address of a page. */
const idIn = (page: Page, word: string): string => new RegExp(`/${word}/([\\da-f-]{36})`).exec(page.url())?.[1] ?? ''

async function sandbox(path: string, body: object): Promise<void> {
  const response = await fetch(`${ready.api_url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new CannotStart(`${path}: ${response.status} ${await response.text()}`)
}

async function pay(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await page.getByText('9,000.00 EUR').first().waitFor()
  await page.getByRole('link', { name: 'Pay', exact: true }).click()
  await page.getByLabel('Payee', { exact: true }).selectOption({ index: 1 })
  await page.getByLabel('Amount').fill('1,260.00')
  await page.getByLabel('Text for the payee').fill('Order 4711')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByRole('button', { name: 'Ask for approval' }).click()
  await page.getByText('Sent for approval.').waitFor()
}

/** Approves what waits, on the other device by its passkey. */
async function approveAll(page: Page, count: number): Promise<void> {
  await page.goto('/approve')
  await page.getByRole('heading', { name: `${count} for you to decide` }).waitFor()
  await page.getByLabel('Select all').check()
  await page.getByRole('button', { name: /^Approve selected/ }).click()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByRole('button', { name: 'Confirm with passkey' }).click()
  await page.getByText('Approved.').waitFor()
}

async function handInBill(page: Page): Promise<void> {
  const bytes = await invoice()
  await page.getByRole('link', { name: 'Bills', exact: true }).click()
  await page.getByLabel('Hand in bills').setInputFiles({ name: 'bill.pdf', mimeType: 'application/pdf', buffer: bytes })
  await page.getByRole('button', { name: 'Hand in', exact: true }).click()
  await page.getByText('Handed in. It is being read.').waitFor()
  await page.getByText('Read on page 1').first().waitFor({ timeout: 20_000 })
  await page.getByRole('link', { name: 'Pay this bill' }).click()
  await page.getByRole('button', { name: 'Ask for approval' }).click()
  await page.getByText('The payment is asked for').waitFor()
}

async function importBatch(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Batches', exact: true }).click()
  await page.getByRole('link', { name: 'New batch' }).first().click()
  await page.getByLabel('Name').fill('Wages of November')
  await page.getByLabel('File').setInputFiles({ name: 'wages.xlsx', mimeType: XLSX, buffer: await workbook() })
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'Ask for approval' }).click({ timeout: 20_000 })
  await page.getByText('Sent for approval.').waitFor()
}

async function sendInvoice(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Invoices', exact: true }).click()
  await page.getByRole('link', { name: 'New invoice' }).first().click()
  await page.getByRole('link', { name: 'New customer' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Gasthaus Linde')
  await page.getByLabel('E-mail addresses').fill('linde@example.com')
  await page.getByLabel('Street and number').fill('Domkloster 4')
  await page.getByLabel('Postal code').fill('50667')
  await page.getByLabel('Town').fill('Köln')
  await page.getByLabel('Country').selectOption('DE')
  await page.getByRole('button', { name: 'Add the customer' }).click()
  await page.getByText('The customer was added.').waitFor()
  await page.getByRole('link', { name: 'New invoice' }).click()
  const line = page.getByRole('group', { name: 'Line 1', exact: true })
  await page.getByLabel('Currency').fill('EUR')
  for (const [label, value] of [
    ['Description', 'Apples, 40 kg'],
    ['Quantity', '40'],
    ['Price of one', '2.10'],
    ['Tax in %', '7'],
  ] as const)
    await line.getByLabel(label).fill(value)
  await page.getByRole('button', { name: 'Save the draft' }).click()
  await page.getByText('The draft is saved.').waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('heading', { name: 'Invoice INV-000001' }).waitFor()
  await sandbox(`/sandbox/invoices/${idIn(page, 'invoices')}/pay`, {})
  await page.getByText('paid', { exact: true }).first().waitFor()
}

async function takeStatement(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await page.getByRole('link', { name: 'Statement' }).click()
  await page.getByRole('button', { name: 'Make the file' }).click()
  const link = page.getByRole('link', { name: 'Download' })
  await link.waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), link.click().catch(() => undefined)]) // no navigation ends
  if (!file.suggestedFilename().endsWith('.pdf')) throw new CannotStart('The statement is no PDF.')
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await page.getByText('Gasthaus Linde').first().waitFor()
}

const workbook = async (): Promise<Buffer> => Buffer.from(await writeXlsx({ sheets: [{ name: 'Wages', rows: WAGES }] }))
