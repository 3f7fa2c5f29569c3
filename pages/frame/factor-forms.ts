/** Forms of a factor: a passkey, or a code. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { WebauthnOptions } from '../../domain/factors/passkey.ts'
import type { PaymentToConfirm } from '../../domain/step-up/payment-confirmation.ts'
import type { Words } from '../words/en.ts'
import { type HiddenFields, keepFields } from './layout.ts'

type PasskeyWords = Pick<Words['signIn']['proof'], 'noPasskey' | 'window' | 'balance'> & { readonly button: string }

/** Shows a button that asks the browser for a passkey; the script shows it where there are any. */
export const passkeyForm = (
  action: string,
  kept: HiddenFields,
  options: WebauthnOptions,
  words: PasskeyWords,
  payment?: PaymentToConfirm | null,
): Markup =>
  html`<form method="post" action="${action}">
    ${keepFields([...kept, ['method', 'webauthn'], ['credential', '']])}
    <p role="alert" class="small" data-fault="${words.noPasskey}"></p>
    <button type="button" data-passkey="${JSON.stringify(options)}" hidden>${words.button}</button>
    ${payment ? html`<p><button type="button" class="second" data-payment="${JSON.stringify({ ...options, ...payment })}" data-balance="${words.balance}" hidden>${words.window}</button></p>` : ''}
  </form>`

type CodeForm = {
  readonly action: string
  readonly kept: HiddenFields
  readonly label: string
  readonly button: string
  readonly method?: 'totp' | 'messaging_code'
}

/** Shows a field for a code. */
export const codeForm = ({ action, kept, label, button, method = 'totp' }: CodeForm): Markup =>
  html`<form method="post" action="${action}">
    ${keepFields([...kept, ['method', method]])}
    <label
      >${label} <input name="code" autocomplete="one-time-code" autocapitalize="none" required maxlength="32"
    /></label>
    <div class="actions"><button class="second">${button}</button></div>
  </form>`

/** Parses JSON that a form carries; null if it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
