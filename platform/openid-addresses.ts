/** Addresses of this service that identity providers know. */
import { config } from './config.ts'

/** Address that providers send people back to. */
export const REDIRECT_URI = `${config.publicUrl}/sign-in/company/callback`
/** Address at which providers end sessions. */
export const LOGOUT_URI = `${config.publicUrl}/oidc/logout`
