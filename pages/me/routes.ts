/** Addresses of the viewer: profile, factors, devices, log, and a company of theirs. */
import type { Routes } from '../frame/routes.ts'
import {
  endDelegate,
  endOtherSessions,
  endSession,
  removeApprovalDevice,
  removeAuthenticator,
  removePasskey,
  removePhone,
  showDevices,
} from './devices.ts'
import { activateAuthenticator, addPhone, confirmPhone, makeRecoveryCodes, setUpAuthenticator } from './factors.ts'
import { DEVICES } from './frame.ts'
import { showLog } from './log.ts'
import { createCompany, showNewCompany } from './new-company.ts'
import { addPasskey, showNewPasskey } from './passkeys.ts'
import { changePassword, chooseFirstCompany, saveProfile, showPassword, showProfile } from './profile.ts'

export const ME: Routes = {
  shown: {
    '/me': showProfile,
    '/me/password': showPassword,
    '/me/log': showLog,
    [DEVICES]: showDevices,
    [`${DEVICES}/passkeys/new`]: showNewPasskey,
    '/companies/new': showNewCompany,
  },
  sent: {
    '/me': saveProfile,
    '/me/first-company': chooseFirstCompany,
    '/me/password': changePassword,
    [`${DEVICES}/authenticator`]: setUpAuthenticator,
    [`${DEVICES}/authenticator/activate`]: activateAuthenticator,
    [`${DEVICES}/authenticator/remove`]: removeAuthenticator,
    [`${DEVICES}/recovery-codes`]: makeRecoveryCodes,
    [`${DEVICES}/passkeys`]: addPasskey,
    [`${DEVICES}/passkeys/:id/remove`]: removePasskey,
    [`${DEVICES}/phones`]: addPhone,
    [`${DEVICES}/phones/confirm`]: confirmPhone,
    [`${DEVICES}/phones/remove`]: removePhone,
    [`${DEVICES}/approval/:id/remove`]: removeApprovalDevice,
    [`${DEVICES}/delegates/:id/end`]: endDelegate,
    [`${DEVICES}/sessions/end`]: endOtherSessions,
    [`${DEVICES}/sessions/:id/end`]: endSession,
    '/companies': createCompany,
  },
}
