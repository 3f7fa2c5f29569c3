/** Device login: a credential that stands in for the password on one device; for the service's own apps. */
import * as v from 'valibot'
import { addLoginCredential, signInOnDevice } from '../../db/sign-in/device-login.ts'
import { DeviceSignIn, LoginCredentialResult } from '../../domain/sign-in/login-credential.ts'
import { SignInAnswer } from '../../domain/sign-in/sign-in.ts'
import { networkOf } from '../http/address.ts'
import { toSignInAnswer } from './sign-in.ts'
import { signInsPerNetwork } from '../http/limits.ts'
import { type Limit, route } from '../http/route.ts'

type Given = { readonly origin: { readonly address: string }; readonly body: DeviceSignIn }

/** Sign-ins of one device, known or not, from one network. */
const ofDevice: Limit<Given> = {
  policy: 'sign_in',
  key: ({ origin, body }) => `${networkOf(origin.address)} ${body.device_id.toLowerCase()}`,
}

const shared = { method: 'post', tag: 'Authentication' } as const

export const deviceLogin = [
  route({
    ...shared,
    path: '/auth/login-credential',
    operationId: 'createLoginCredential',
    summary: 'Let the device of this session sign in without the password for 30 days',
    stepUp: { mode: 'window', unlessJustSignedIn: true },
    body: v.object({}),
    returns: LoginCredentialResult,
    handle: ({ person, origin }) => addLoginCredential(person, origin),
  }),
  route({
    ...shared,
    credential: 'none',
    path: '/auth/sign-in/device',
    operationId: 'signInOnDevice',
    summary: "Sign in with a device's credential in place of the password",
    limits: [signInsPerNetwork, ofDevice],
    body: DeviceSignIn,
    returns: SignInAnswer,
    handle: async ({ body, origin }) => toSignInAnswer(await signInOnDevice(body, origin)),
  }),
]
