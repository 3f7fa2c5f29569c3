/** Authenticator of a browser without hardware. */
import type { Page } from 'playwright-core'

type Backup = { readonly defaultBackupEligibility: boolean; readonly defaultBackupState: boolean }

/** Gives a page an authenticator that answers at once, as a phone does after a look at it; answers how it is steered. */
export async function addAuthenticator(page: Page, backup?: Backup) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...backup,
    },
  })
  return { devtools, authenticatorId }
}
