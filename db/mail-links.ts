/** Links in mails: they lead to the web app of the installation, where one is configured. */
import { config } from './config.ts'

/** The link's member of a message: none where no web app is configured; the token stands behind the `#`, which no server logs. */
export const mailLink = (page: 'confirm-email' | 'reset-password', token: string): { url?: string } =>
  config.appUrl === undefined ? {} : { url: `${config.appUrl}/${page}#token=${encodeURIComponent(token)}` }
