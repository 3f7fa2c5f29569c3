/** Script of the pages: passkeys, menus, changes as they happen. Without it all else works. */

/** Converts the options of the service, whose binary values are base64url. */
const parseOptions = (options) =>
  PublicKeyCredential.parseRequestOptionsFromJSON({
    challenge: options.challenge,
    rpId: options.rp_id,
    timeout: options.timeout,
    userVerification: options.user_verification,
    allowCredentials: options.allow_credentials,
  })

/** Signs a challenge with a passkey. */
const signByPasskey = (options) => navigator.credentials.get({ publicKey: parseOptions(options) })

const NO_ICON = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

/** Signs a challenge in the payment window, where the browser itself shows payee and total. */
async function signByPayment({ payee_name: payeeName, currency, value, ...options }, { dataset }) {
  const { challenge, rpId, timeout, allowCredentials } = parseOptions(options)
  const credentialIds = allowCredentials.map(({ id }) => id)
  const instrument = { displayName: `${dataset.balance} ${currency}`, icon: NO_ICON, iconMustBeShown: false }
  const data = { challenge, rpId, timeout, credentialIds, payeeName, instrument }
  const total = { label: payeeName, amount: { currency, value } }
  const request = new PaymentRequest([{ supportedMethods: 'secure-payment-confirmation', data }], { total })
  const response = await request.show()
  await response.complete('success')
  return response.details
}

/** Proves a challenge, and sends its form. */
async function prove(button, sign, options) {
  const { form } = button
  button.disabled = true
  try {
    const credential = await sign(JSON.parse(options), button)
    form.elements.credential.value = JSON.stringify(credential.toJSON())
    form.submit()
  } catch {
    button.disabled = false
    const alert = form.querySelector('[role=alert]')
    alert.textContent = alert.dataset.fault
  }
}

/** Makes a passkey, and sends its form. */
async function makePasskey(button) {
  const { form } = button
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(button.dataset.create))
  button.disabled = true
  try {
    const credential = await navigator.credentials.create({ publicKey })
    form.elements.credential.value = JSON.stringify(credential.toJSON())
    form.submit()
  } catch (error) {
    button.disabled = false
    const alert = form.querySelector('[role=alert]')
    alert.textContent = error.name === 'InvalidStateError' ? alert.dataset.has : alert.dataset.fault
  }
}

const hasPasskeys = 'PublicKeyCredential' in globalThis && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Shows a button if the browser has Secure Payment Confirmation here. */
async function offerPaymentWindow(button) {
  const found = await globalThis.PaymentRequest?.securePaymentConfirmationAvailability?.()
  button.hidden = found !== 'available'
}

function prepare(part) {
  for (const button of part.querySelectorAll('[data-passkey]')) {
    button.hidden = !hasPasskeys
    button.addEventListener('click', () => prove(button, signByPasskey, button.dataset.passkey))
  }
  for (const button of part.querySelectorAll('[data-payment]')) {
    void offerPaymentWindow(button)
    button.addEventListener('click', () => prove(button, signByPayment, button.dataset.payment))
  }
  for (const button of part.querySelectorAll('[data-create]')) {
    button.hidden = !hasPasskeys
    button.addEventListener('click', () => makePasskey(button))
  }
  for (const label of part.querySelectorAll('label[data-token]')) takeToken(label)
  for (const zone of part.querySelectorAll('select[data-zone]')) {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    if ([...zone.options].some(({ value }) => value === timeZone)) zone.value = timeZone
  }
  for (const form of part.querySelectorAll('form[data-lines]')) form.addEventListener('input', () => sumLines(form))
  for (const form of part.querySelectorAll('form[data-set]')) {
    offerAll(form)
    form.addEventListener('change', () => countChosen(form))
  }
}

/** Takes the token of a mail out of the address, so that it stays in no history. */
function takeToken(label) {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (!token) return
  label.querySelector('input').value = token
  label.hidden = true
  history.replaceState(null, '', location.pathname)
  label.form.requestSubmit() // its answer names the address, and asks
}

/** Says on the button of a set how many requests are chosen, how many with warnings, and the sum of each currency. */
function countChosen(form) {
  const chosen = [...form.querySelectorAll('input[name=approval_id]:checked')]
  const count = form.querySelector('[data-count]')
  count.dataset.empty ??= count.textContent
  const sums = Map.groupBy(
    chosen.filter(({ dataset }) => dataset.amount),
    ({ dataset }) => dataset.currency,
  )
  const told = [...sums].map(([currency, of]) => `${sumOf(of.map(({ dataset }) => dataset.amount))} ${currency}`)
  const stops = chosen.filter(({ dataset }) => 'stop' in dataset).length
  if (stops > 0) told.unshift(`${stops} ${count.dataset.warned}`)
  count.textContent =
    chosen.length === 0 ? count.dataset.empty : [`${count.dataset.empty}: ${chosen.length}`, ...told].join(' · ')
}

/** Adds decimals exactly, and groups the sum by thousands in the language of the page. */
function sumOf(amounts) {
  const places = Math.max(...amounts.map((amount) => (amount.split('.')[1] ?? '').length))
  const whole = (amount) => BigInt(amount.replace('.', '') + '0'.repeat(places - (amount.split('.')[1] ?? '').length))
  const digits = amounts
    .reduce((sum, amount) => sum + whole(amount), 0n)
    .toString()
    .padStart(places + 1, '0')
  const [units, decimals] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)]
  const german = document.documentElement.lang === 'de'
  return BigInt(units).toLocaleString(german ? 'de-DE' : 'en-GB') + (places > 0 ? (german ? ',' : '.') + decimals : '')
}

/** Reads a decimal as the service does (pages/frame/amounts.ts), with its scale; null if it is none, or not clear. */
function readDecimal(text) {
  const [, sign, bare] = /^([-−]?)(.*)$/.exec(text.replaceAll(/[\s’']/g, '')) ?? []
  const point = document.documentElement.lang === 'de' ? ',' : '.'
  const pattern = /^0[.,]\d{1,8}$/.test(bare) ? /^(0)[.,](\d+)$/ : /^(\d{1,3}(?:[.,]\d{3})+|\d+)(?:[.,](\d{1,8}))?$/
  const [, whole = '', decimals] = pattern.exec(bare) ?? []
  const signs = whole.replaceAll(/\d/g, '')
  const isAmbiguous = decimals === undefined ? signs === point : signs.includes(bare.at(whole.length))
  if (whole === '' || new Set(signs).size > 1 || isAmbiguous || (signs !== '' && whole.startsWith('0'))) return null
  const digits = BigInt(whole.replaceAll(/[.,]/g, '') + (decimals ?? ''))
  return { digits: sign ? -digits : digits, scale: decimals?.length ?? 0 }
}

/** Divides, and rounds a half away from zero. */
const divide = (value, by) => (value < 0n ? -((-value * 2n + by) / (by * 2n)) : (value * 2n + by) / (by * 2n))

/** Adds up the lines of an invoice while they are typed, each rate rounded once; the service computes what counts. */
function sumLines(form) {
  const value = (name, row) => form.elements[`${name}_${row}`]?.value.trim() ?? ''
  const currency = form.elements.currency.value.trim().toUpperCase()
  const places = digitsOf(currency)
  const nets = new Map()
  let isClear = places !== null
  for (let row = 0; row < Number(form.elements.rows.value) && isClear; row += 1) {
    if (value('description', row) === '') continue
    const [quantity, price, rate] = ['quantity', 'price', 'tax'].map((name) => readDecimal(value(name, row)))
    isClear = Boolean(quantity && price && rate)
    if (!isClear) break
    const shift = 10n ** BigInt(quantity.scale + price.scale)
    const net = divide(quantity.digits * price.digits * 10n ** BigInt(places), shift)
    const key = Number(rate.digits) / 10 ** rate.scale
    nets.set(key, { rate, net: net + (nets.get(key)?.net ?? 0n) })
  }
  const all = [...nets.values()]
  const net = all.reduce((sum, one) => sum + one.net, 0n)
  const tax = all.reduce(
    (sum, { rate, net: on }) => sum + divide(on * rate.digits, 100n * 10n ** BigInt(rate.scale)),
    0n,
  )
  for (const [name, sum] of Object.entries({ net, tax, total: net + tax }))
    form.querySelector(`[data-sum=${name}]`).textContent = isClear ? `${writeMinor(sum, places)} ${currency}` : '–'
}

/** Returns how many decimals a currency has; null for none. */
function digitsOf(currency) {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
  } catch {
    return null
  }
}

const writeMinor = (minor, places) => {
  const digits = String(minor < 0n ? -minor : minor).padStart(places + 1, '0')
  const at = digits.length - places
  return (minor < 0n ? '−' : '') + sumOf([places > 0 ? `${digits.slice(0, at)}.${digits.slice(at)}` : digits])
}

/** Chooses all requests of a set, or none. */
function offerAll(form) {
  const all = form.querySelector('[data-all]')
  if (!all) return
  all.parentElement.hidden = false
  all.addEventListener('change', () => {
    for (const one of form.querySelectorAll('input[name=approval_id]')) one.checked = all.checked
  })
}

/** Loads the page again behind its viewer, unless they are in the middle of something. */
function refresh() {
  const main = document.querySelector('main')
  const touched = [...main.querySelectorAll('input:not([type=hidden], .filters input), textarea')].some((field) =>
    field.type === 'checkbox' ? field.checked !== field.defaultChecked : field.value !== field.defaultValue,
  )
  if (touched) return
  const request = new XMLHttpRequest()
  request.responseType = 'document' // parsed without running anything
  request.addEventListener('load', () => {
    const fresh = request.response?.querySelector('main')
    if (request.status !== 200 || !fresh) return location.reload()
    const opened = [...main.querySelectorAll('details')].map(({ open }) => open)
    main.replaceWith(document.adoptNode(fresh))
    for (const [index, part] of fresh.querySelectorAll('details').entries()) part.open = opened[index] ?? false
    prepare(fresh)
  })
  request.open('GET', location.href)
  request.send()
}

// a link of another site led here: once more, from our own, with the token of a mail behind the `#`
const again = document.querySelector('a[data-again]')
if (again) location.replace(again.href + location.hash)

/** Closes the menus that the viewer has left: by a press or Tab elsewhere, or by Escape, which gives the focus back. */
function closeMenus({ target, key }) {
  for (const menu of document.querySelectorAll('details.menu[open]')) {
    if (key === 'Escape' && menu.contains(document.activeElement)) menu.firstElementChild.focus()
    if (key === 'Escape' || (key === undefined && !menu.contains(target))) menu.open = false
  }
}
addEventListener('click', closeMenus)
addEventListener('focusin', closeMenus)
addEventListener('keydown', closeMenus)

prepare(document)
const { live } = document.querySelector('main').dataset
if (live) new EventSource(live).addEventListener('changed', refresh)
