/** Mailed tokens: a link into the web app of the installation if one is configured, else the token as it is. */
import { config } from '../../platform/config.ts'

/** `how` is the sentence that says what to do; `url` is there if a web app is configured. */
export type MailedToken = { readonly token: string; readonly url?: string; readonly how: string }

/** A token as a mail carries it. In a link it stands behind the `#`, which no server logs. */
export function mailedToken(
  page: 'confirm-email' | 'reset-password' | 'keep-factors' | 'invitation',
  token: string,
): MailedToken {
  if (config.appUrl === undefined) return { token, how: `The token for it: ${token}` }
  const url = `${config.appUrl}/${page}#token=${encodeURIComponent(token)}`
  return { token, url, how: `Follow this link: ${url}` }
}
