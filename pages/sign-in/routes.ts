/** Addresses of the sign-in, of devices, and of links in mails. */
import type { Routes } from '../frame/routes.ts'
import { authorize, showAuthorization } from './authorize.ts'
import { endDelegate, endSession, showDevices } from './devices.ts'
import { MAILED_SENT, MAILED_SHOWN } from './mailed.ts'
import { addPasskey, removePasskey, showNewPasskey } from './passkeys.ts'
import { showSignIn, signOut, takeFactor, takeFirstCode, takePassword } from './sign-in.ts'

export const SIGN_IN: Routes = {
  shown: {
    '/sign-in': showSignIn,
    ...MAILED_SHOWN,
    '/authorize': showAuthorization,
    '/approve/devices': (viewer) => showDevices(viewer),
    '/approve/devices/passkeys/new': showNewPasskey,
  },
  sent: {
    '/sign-in': takePassword,
    '/sign-in/factor': takeFactor,
    '/sign-in/authenticator': takeFirstCode,
    '/sign-out': signOut,
    ...MAILED_SENT,
    '/authorize': authorize,
    '/approve/devices/delegates/:id/end': endDelegate,
    '/approve/devices/sessions/:id/end': endSession,
    '/approve/devices/passkeys': addPasskey,
    '/approve/devices/passkeys/:id/remove': removePasskey,
  },
}
