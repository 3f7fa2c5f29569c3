/** Device login: a credential that stands in for the password on one device; for the service's own apps. */
import * as v from 'valibot'
import { addLoginCredential, signInOnDevice } from '../../db/sign-in/device-login.ts'
import { DeviceSignIn, LoginCredentialResult } from '../../domain/sign-in/login-credential.ts'
import { SignInAnswer } from '../../domain/sign-in/sign-in.ts'
import { networkOf } from '../http/address.ts'
import { toSignInAnswer } from './sign-in.ts'
import { signInsPerNetwork } from '../http/limits.ts'
import { operations } from '../http/operation.ts'
import { type Limit } from '../http/route.ts'

const { command } = operations('Authentication')

type Given = { readonly origin: { readonly address: string }; readonly body: DeviceSignIn }

/** Sign-ins of one device, known or not, from one network. */
const ofDevice: Limit<Given> = {
  policy: 'sign_in',
  key: ({ origin, body }) => `${networkOf(origin.address)} ${body.device_id.toLowerCase()}`,
}

export const deviceLogin = [
  command('post', '/auth/login-credential', 'createLoginCredential')
    .says('Let the device of this session sign in without the password for 30 days')
    .takes(v.object({}))
    .answers(LoginCredentialResult)
    .proved('window', undefined, { unlessJustSignedIn: true })
    .handles(({ person, origin }) => addLoginCredential(person, origin)),
  command('post', '/auth/sign-in/device', 'signInOnDevice')
    .says("Sign in with a device's credential in place of the password")
    .open()
    .takes(DeviceSignIn)
    .limited(signInsPerNetwork, ofDevice)
    .answers(SignInAnswer)
    .handles(async ({ body, origin }) => toSignInAnswer(await signInOnDevice(body, origin))),
]
