// Written by `npm run client` from openapi.json.
import type * as s from './schemas.ts'

export const VERSION = '2026-11-30'

/** Operations: their input, answer, error types, and how they take an Idempotency-Key. */
export interface Operations {
  /** Sign up. A mail asks to confirm the address, unless the body has the token of an invitation to it. Limits beside the general ones: `sign_in_network`, 100 a minute; `mails`, 5 an hour. */
  signUp: {
    input: s.SignUp
    answer: s.SignUpAnswer
    errors: 'idempotency_key_invalid' | 'invalid_request' | 'invitation_expired' | 'malformed_request' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'token_invalid' | 'unknown_parameter' | 'unsupported_media_type' | 'weak_password'
    key: 'none'
  }
  /** Confirm the address of a sign-up and sign in. The password of the sign-up counts with its `sign_up_token` alone; any other client sends one. Limits beside the general ones: `sign_in_network`, 100 a minute. */
  confirmEmail: {
    input: s.EmailConfirmation
    answer: s.EmailConfirmationAnswer
    errors: 'invalid_request' | 'malformed_request' | 'password_required' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'token_invalid' | 'unknown_parameter' | 'unsupported_media_type' | 'weak_password'
    key: 'none'
  }
  /** Read the address of a link. For the page that a mail links to, which names the address and asks before it acts. It uses nothing up. Limits beside the general ones: `sign_in_network`, 100 a minute. */
  readMailedLink: {
    input: s.AskedMailedLink
    answer: s.MailedLink
    errors: 'invalid_request' | 'invitation_expired' | 'malformed_request' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'token_invalid' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Sign in with email and password. Limits beside the general ones: `sign_in_network`, 100 a minute; `sign_in`, 10 a minute. */
  signIn: {
    input: s.SignIn
    answer: s.SignInAnswer
    errors: 'email_not_confirmed' | 'forbidden' | 'invalid_credentials' | 'invalid_request' | 'malformed_request' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Complete a sign-in with an authenticator or recovery code. Limits beside the general ones: `codes`, 10 a minute. */
  completeSignIn: {
    input: s.SignInCode
    answer: s.SignInCodeAnswer
    errors: 'invalid_request' | 'malformed_request' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Complete a sign-in with a passkey, in a browser. Limits beside the general ones: `codes`, 10 a minute. */
  completeSignInWithPasskey: {
    input: s.SignInPasskey
    answer: s.SignInCodeAnswer
    errors: 'invalid_request' | 'malformed_request' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Set up the authenticator that an organization requires. The secret is shown once. Limits beside the general ones: `codes`, 10 a minute. */
  setUpAuthenticatorAtSignIn: {
    input: s.ChallengeToken
    answer: s.AuthenticatorSetup
    errors: 'invalid_request' | 'malformed_request' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'token_invalid' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Complete a sign-in with a new authenticator. Takes the first code of the authenticator that was set up. Limits beside the general ones: `codes`, 10 a minute. */
  activateAuthenticatorAtSignIn: {
    input: s.SignInCode
    answer: s.SignInCodeAnswer
    errors: 'invalid_request' | 'malformed_request' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** End the session of the token sent */
  signOut: {
    input: {}
    answer: {
  readonly message: 'goodbye'
}
    errors: 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Request a mail that resets the password. The answer is the same for every address. Limits beside the general ones: `sign_in_network`, 100 a minute; `mails`, 5 an hour. */
  forgotPassword: {
    input: s.PasswordForgotten
    answer: {
  readonly status: 'reset_requested'
}
    errors: 'invalid_request' | 'malformed_request' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Set a new password with the token of the mail. Every session ends. Limits beside the general ones: `sign_in_network`, 100 a minute. */
  resetPassword: {
    input: s.PasswordReset
    answer: {
  readonly status: 'password_reset'
}
    errors: 'invalid_request' | 'malformed_request' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'token_invalid' | 'unknown_parameter' | 'unsupported_media_type' | 'weak_password'
    key: 'none'
  }
  /** Change the password; every other session ends. Limits beside the general ones: `password_check`, 10 a minute. */
  changePassword: {
    input: s.PasswordChange
    answer: {
  readonly status: 'password_changed'
}
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'malformed_request' | 'not_authenticated' | 'password_incorrect' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type' | 'weak_password'
    key: 'none'
  }
  /** Keep the second factors that an operator wants to remove. Takes the token of the message that announced the removal. Limits beside the general ones: `sign_in_network`, 100 a minute. */
  keepFactors: {
    input: s.FactorsObjection
    answer: {
  readonly status: 'factors_kept'
}
    errors: 'invalid_request' | 'malformed_request' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'token_invalid' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Begin to add an authenticator. The secret is shown once, and a messaging code is sent. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. A mailed code proves it only for a person without another factor, or after a sign-in by a recovery code. */
  setUpAuthenticator: {
    input: {}
    answer: s.AuthenticatorSetup
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'totp_already_enabled' | 'unknown_parameter'
    key: 'none'
  }
  /** Add the authenticator with its code and the messaging code. Limits beside the general ones: `codes`, 10 a minute. */
  activateAuthenticator: {
    input: s.AuthenticatorCodes
    answer: s.AuthenticatorActivated
    errors: 'api_key_not_permitted' | 'code_invalid' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'malformed_request' | 'not_authenticated' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'totp_already_enabled' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Remove the authenticator. Refused while an organization of yours requires one. Needs a step-up for this very request: the first answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. A mailed code proves it only for a person without another factor, or after a sign-in by a recovery code. */
  removeAuthenticator: {
    input: {}
    answer: s.AuthenticatorRemoved
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_state' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter'
    key: 'none'
  }
  /** Create ten recovery codes. They are shown once; earlier codes become void. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. A mailed code proves it only for a person without another factor, or after a sign-in by a recovery code. */
  createRecoveryCodes: {
    input: {}
    answer: s.RecoveryCodes
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_state' | 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter'
    key: 'none'
  }
  /** See how many recovery codes are left */
  countRecoveryCodes: {
    input: {}
    answer: s.RecoveryCodeCount
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Trust this device to sign in without a password. For 30 days. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. A session that signed in with a second factor, or by the mail of a sign-up, within the last ten minutes is not asked. A mailed code proves it only for a person without another factor, or after a sign-in by a recovery code. */
  createLoginCredential: {
    input: {
}
    answer: s.LoginCredentialResult
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'malformed_request' | 'not_authenticated' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Sign in with a device's credential in place of the password. Limits beside the general ones: `sign_in_network`, 100 a minute; `sign_in`, 10 a minute. */
  signInOnDevice: {
    input: s.DeviceSignIn
    answer: s.SignInAnswer
    errors: 'forbidden' | 'invalid_credentials' | 'invalid_request' | 'malformed_request' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** List your devices, newest first. Send the id of `this_device` at later sign-ins. */
  listDevices: {
    input: {
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.DevicePage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'invalid_request' | 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Give a device a name that you know it by */
  renameDevice: {
    input: {
      /** Id of the device. */
      readonly device_id: string
    } & s.DeviceName
    answer: s.Device
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Remove a device. Its sessions end, and its trust and credentials become void. An approval device needs a step-up. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. A mailed code proves it only for a person without another factor, or after a sign-in by a recovery code. */
  removeDevice: {
    input: {
      /** Id of the device. */
      readonly device_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter'
    key: 'none'
  }
  /** List your live sessions, the latest sign-in first. A request moves the end of its session to 30 minutes later, unless another one did so within a second. */
  listSessions: {
    input: {
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.SessionPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'invalid_request' | 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** End all your sessions but this one */
  endOtherSessions: {
    input: {}
    answer: {
  readonly ended: number
}
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** End a session */
  endSession: {
    input: {
      /** Id of the thing. */
      readonly id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'invalid_request' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read oneself */
  getMe: {
    input: {}
    answer: s.Me
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Change your profile. Absent fields stay, null clears. */
  updateMe: {
    input: s.MeChanges
    answer: s.Me
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'malformed_request' | 'not_authenticated' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Choose the organization that one works in first */
  setPrimaryOrganization: {
    input: s.PrimaryOrganization
    answer: s.PrimaryOrganizationAnswer
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Add a phone number. A code is sent to it; each repeat sends another. */
  addPhoneNumber: {
    input: s.NewPhoneNumber
    answer: s.PhoneCodeSent
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'malformed_request' | 'not_authenticated' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'none'
  }
  /** Confirm a phone number with the code that was sent to it. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. A session that signed in with a second factor, or by the mail of a sign-up, within the last ten minutes is not asked. A mailed code proves it only for a person without another factor, or after a sign-in by a recovery code. Limits beside the general ones: `codes`, 10 a minute. */
  confirmPhoneNumber: {
    input: s.PhoneNumberConfirmation
    answer: s.Me
    errors: 'api_key_not_permitted' | 'code_invalid' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'malformed_request' | 'not_authenticated' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Remove a phone number. The number is told. One that was never confirmed needs no step-up. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. A session that signed in with a second factor, or by the mail of a sign-up, within the last ten minutes is not asked. A mailed code proves it only for a person without another factor, or after a sign-in by a recovery code. */
  removePhoneNumber: {
    input: {
      /** Phone number in E.164, with `+` as `%2B`. */
      readonly e164: string
    }
    answer: s.Me
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter'
    key: 'none'
  }
  /** Set your picture. A PNG, JPEG or WebP of at most 40 megapixels; it is cropped to a square. Limits beside the general ones: `pictures`, 30 an hour. */
  uploadAvatar: {
    input: { readonly file: Blob }
    answer: s.Me
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_file' | 'invalid_request' | 'malformed_request' | 'not_authenticated' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Remove your picture */
  removeAvatar: {
    input: {}
    answer: s.Me
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read a picture. Its address is `avatar.url`; each upload has its own. */
  getAvatar: {
    input: {
      /** Id of the picture. */
      readonly avatar_id: string
    }
    answer: Response
    errors: 'invalid_request' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List what happened to your account, newest first */
  listSecurityEvents: {
    input: {
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those of this kind. */
      readonly type?: 'sign_up.confirmed' | 'sign_in.succeeded' | 'sign_in.failed' | 'session.ended' | 'sessions.ended_by_operator' | 'device.added' | 'device.removed' | 'device.trusted' | 'password.changed' | 'password_reset.requested' | 'password.reset' | 'authenticator.added' | 'authenticator.removed' | 'recovery_codes.generated' | 'recovery_code.used' | 'passkey.added' | 'passkey.removed' | 'factor_reset.announced' | 'factor_reset.cancelled' | 'factors.reset' | 'phone_number.added' | 'phone_number.removed' | 'identity_link.added' | 'identity_link.ended' | 'sign_in.bypassed_provider' | 'address.refused' | 'delegate.added' | 'delegate.rotated' | 'delegate.ended' | 'approval_device.added' | 'approval_device.removed' | 'login_credential.added' | 'step_up.verified' | 'step_up.failed' | 'step_up.denied' | 'step_up.used' | 'adjustment.proposed' | 'adjustment.confirmed' | 'adjustment.withdrawn' | 'screening.proposed' | 'screening.decided' | 'dealing.proposed' | 'dealing.confirmed' | 'dealing.settled' | 'dealing.withdrawn' | 'onboarding.proposed' | 'onboarding.confirmed' | 'onboarding.withdrawn'
    }
    answer: s.SecurityEventPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'invalid_request' | 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List your passkeys, newest first */
  listPasskeys: {
    input: {
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.PasskeyPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'invalid_request' | 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Register a passkey. Takes the credential of the browser as its `toJSON()` gives it. A mail reports the new passkey. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. A mailed code proves it only for a person without another factor, or after a sign-in by a recovery code. */
  createPasskey: {
    input: s.NewPasskey
    answer: s.Passkey
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'invalid_state' | 'malformed_request' | 'not_authenticated' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'optional'
  }
  /** Read the options to create a passkey. For `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
  getPasskeyOptions: {
    input: {}
    answer: s.RegistrationOptions
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity'
    key: 'none'
  }
  /** Give a passkey another name */
  renamePasskey: {
    input: {
      /** Id of the thing. */
      readonly id: string
    } & s.PasskeyName
    answer: s.Passkey
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Remove a passkey; a mail tells of it. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. A mailed code proves it only for a person without another factor, or after a sign-in by a recovery code. */
  deletePasskey: {
    input: {
      /** Id of the thing. */
      readonly id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter'
    key: 'none'
  }
  /** Read where a step-up stands */
  getStepUp: {
    input: {
      /** Id of the thing. */
      readonly id: string
    }
    answer: s.StepUp
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'invalid_request' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Complete a step-up. Then repeat the original request unchanged. Limits beside the general ones: `codes`, 10 a minute. */
  completeStepUp: {
    input: {
      /** Id of the thing. */
      readonly id: string
    } & s.StepUpProof
    answer: s.StepUp
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'invalid_request' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Request another method of a step-up. Such as a messaging code; at most three times in 15 minutes. A mailed code replaces a factor only in a session that was signed in to by one, and never for a change of factors. */
  requestStepUpFallback: {
    input: {
      /** Id of the thing. */
      readonly id: string
    } & s.StepUpFallback
    answer: s.StepUpChallenge
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'none'
  }
  /** Make this device an approval device. It can approve after 24 hours. Needs a step-up for this very request: the first answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. A mailed code proves it only for a person without another factor, or after a sign-in by a recovery code. */
  createApprovalCredential: {
    input: {
}
    answer: s.ApprovalCredentialResult
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'invalid_request' | 'malformed_request' | 'not_authenticated' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'none'
  }
  /** List your approval devices, newest first */
  listApprovalCredentials: {
    input: {
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.ApprovalCredentialPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'invalid_request' | 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read an approval device */
  getApprovalCredential: {
    input: {
      /** Id of the thing. */
      readonly id: string
    }
    answer: s.ApprovalCredential
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'invalid_request' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Stop an approval device, at once and for good. One that cools off needs no step-up. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. A mailed code proves it only for a person without another factor, or after a sign-in by a recovery code. */
  deleteApprovalCredential: {
    input: {
      /** Id of the thing. */
      readonly id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter'
    key: 'none'
  }
  /** List challenges for your approval devices, newest first */
  listChallenges: {
    input: {
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.ApprovalChallengePage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'invalid_request' | 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Release a challenge by its number. The number is on the screen that asks. The third wrong number denies the challenge. */
  approveChallenge: {
    input: {
      /** Id of the thing. */
      readonly id: string
    } & s.ApprovalChallengeApproval
    answer: s.StepUp
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Deny a challenge for good */
  denyChallenge: {
    input: {
      /** Id of the thing. */
      readonly id: string
    } & s.ApprovalChallengeDenial
    answer: s.StepUp
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** List the organizations you are in, newest first */
  listOrganizations: {
    input: {
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.OrganizationPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'invalid_request' | 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Create an organization; you become its owner */
  createOrganization: {
    input: s.NewOrganization
    answer: s.Organization
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'malformed_request' | 'not_authenticated' | 'organization_limit_reached' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** Read an organization. Permission: `organization.read`. */
  getOrganization: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.Organization
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Change an organization. Absent fields stay, null clears. Permission: `organization.update`. */
  updateOrganization: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.OrganizationChanges
    answer: s.Organization
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Claim the service ID of an organization. Others pay the organization by it. It cannot be changed. Permission: `organization.claim_personal_handle`. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  claimHandle: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.ClaimHandle
    answer: s.Organization
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'handle_taken' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** See whom a service ID means */
  getHandle: {
    input: {
      /** Handle of the organization, `@name`: others pay to it. */
      readonly svc_id: string
    }
    answer: s.HandleOwner
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read the onboarding of an organization. Without `onboarding.view_requirements` it is the part about yourself: you as an owner or director, and your papers. Permission: `onboarding.view_requirements` or `onboarding.view_own_requirements`. */
  getOnboarding: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.Onboarding
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Say what legal entity the organization is. Replaces the whole. Another name, form, register or address of a verified one asks for a review: payments go on until its `due_at`. Permission: `organization.update`. */
  putLegalEntity: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewLegalEntity
    answer: s.Onboarding
    errors: 'amount_precision' | 'amount_too_large' | 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Name an owner, a director, or who controls the entity. A member named by `user_id` fills in their own part. Permission: `organization.update`. */
  addOnboardingPerson: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewOnboardingPerson
    answer: s.OnboardingPerson
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** Change a person of the entity. What is absent stays, null clears. A person changes their own facts alone. Permission: `organization.update` or `onboarding.view_own_requirements`. */
  updateOnboardingPerson: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the person. */
      readonly person_id: string
    } & s.OnboardingPersonChanges
    answer: s.OnboardingPerson
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Remove a person of the entity, with their papers. Permission: `organization.update`. */
  removeOnboardingPerson: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the person. */
      readonly person_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Request an upload address for a paper. PUT the file there. An `identity` names its person; a person adds their own. Papers are encrypted once they are submitted. Permission: `organization.update` or `onboarding.view_own_requirements`. Limits beside the general ones: `uploads`, 300 an hour. */
  addOnboardingDocument: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewOnboardingDocument
    answer: s.UploadSlot
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** Remove a paper. Permission: `organization.update` or `onboarding.view_own_requirements`. */
  removeOnboardingDocument: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the file. */
      readonly file_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Submit the organization to be verified. Nothing can be changed while it is reviewed. Refused with the fields that are open while something is missing. Permission: `organization.update`. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  submitOnboarding: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & {
}
    answer: s.Onboarding
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'file_not_uploaded' | 'forbidden' | 'invalid_file' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'onboarding_incomplete' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type' | 'upload_size_mismatch'
    key: 'none'
  }
  /** Read how far the verification of the organization is. Permission: `organization.view_kyb_status`. */
  getKybStatus: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.KybStatus
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read the settings of an organization. For the owners of the organization alone. */
  getOrganizationSettings: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.OrganizationSettings
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Change the settings of an organization. Absent fields stay, null clears. An authenticator that becomes required ends all other sessions of members who have none. Invoices that are sent keep the number and the seller that they were sent with. Another time zone counts from the next midnight of the one before. For the owners of the organization alone. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  updateOrganizationSettings: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.OrganizationSettingsChanges
    answer: s.OrganizationSettings
    errors: 'amount_precision' | 'amount_too_large' | 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_currency' | 'unsupported_media_type'
    key: 'none'
  }
  /** Read the IP allow-list of an organization. With the address that you come from. For the owners of the organization alone. */
  getIpAllowList: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.IpAllowList
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Set the IP allow-list of an organization. From the next request on, credentials of these kinds work from these networks alone; others are refused `ip_not_allowed`. A list of sessions has to hold the address that you come from. For the owners of the organization alone. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  replaceIpAllowList: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewIpAllowList
    answer: s.IpAllowList
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_allow_list_excludes_you' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Remove the IP allow-list: credentials work from everywhere. For the owners of the organization alone. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  removeIpAllowList: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.IpAllowListRemoved
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter'
    key: 'none'
  }
  /** Lift the IP allow-list from outside of it. Two owners do it, each with a proof of identity: the second within 48 hours after the first. An only owner repeats it after 24 hours. All owners are mailed. For the owners of the organization alone. Needs a step-up for this very request: the first answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  liftIpAllowList: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & {
}
    answer: s.IpAllowListLifting
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** End the request to lift the IP allow-list. For the owners of the organization alone. */
  cancelIpAllowListLift: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.IpAllowListLiftCancelled
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Set the logo. A PNG, JPEG or WebP of at most 40 megapixels; it is cropped to a square. Permission: `organization.update_logo`. Limits beside the general ones: `pictures`, 30 an hour. */
  uploadLogo: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & { readonly file: Blob }
    answer: s.Organization
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_file' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Remove the logo. Permission: `organization.update_logo`. */
  removeLogo: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.Organization
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read a logo. Its address is `logo.url`; each upload has its own. */
  getLogo: {
    input: {
      /** Id of the picture. */
      readonly logo_id: string
    }
    answer: Response
    errors: 'invalid_request' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List members, last joined first. `q` is part of a name or address. Permission: `members.list`. */
  listMembers: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those with this role. */
      readonly role?: 'owner' | 'admin' | 'member'
      /** Lists those whose name or address begins with this text. */
      readonly q?: string
      /** Lists those with one of these ids, at most 100; repeatable. */
      readonly user_ids?: readonly string[]
    }
    answer: s.MemberPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Change the role or the permissions of a member. Only an owner makes or changes an owner, from whom nothing is taken. Nobody changes their own permissions, or gives what they lack. What is taken ends at once. Permission: `members.manage`. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  updateMember: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the person. */
      readonly user_id: string
    } & s.MemberChange
    answer: s.Member
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'last_owner' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_limit_reached' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'none'
  }
  /** Remove a member; only an owner removes an owner. Permission: `members.manage`. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  removeMember: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the person. */
      readonly user_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'last_owner' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter'
    key: 'none'
  }
  /** Leave an organization; its last owner cannot. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  leaveOrganization: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.OrganizationLeft
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'last_owner' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter'
    key: 'none'
  }
  /** Make another member an owner; you become an admin. For the owners of the organization alone. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  transferOwnership: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.OwnershipTransfer
    answer: s.Member
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_limit_reached' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** List invitations, newest first. `q` is part of the address. Declined, deleted and expired invitations are left out. Permission: `invitations.list`. */
  listInvitations: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those with this status. */
      readonly status?: 'accepted' | 'pending_approval' | 'pending'
      /** Lists those whose name or address begins with this text. */
      readonly q?: string
    }
    answer: s.InvitationPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Invite people. All or none. The policy decides if mails are sent at once or after an approval. An address that is repeated is invited once; two that differ in role, preset or card are refused. Permission: `invitations.create`. Limits beside the general ones: `invitations`, 20 an hour. */
  createInvitations: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewInvitations
    answer: readonly s.Invitation[]
    errors: 'already_member' | 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** Read an invitation. Permission: `invitations.list`. */
  getInvitation: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the invitation. */
      readonly invitation_id: string
    }
    answer: s.Invitation
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Take an invitation back, with the approval that it waits for. Permission: `invitations.delete`. */
  deleteInvitation: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the invitation. */
      readonly invitation_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Mail a pending invitation again. With another token and seven more days. Permission: `invitations.resend`. Limits beside the general ones: `invitations`, 20 an hour. */
  resendInvitation: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the invitation. */
      readonly invitation_id: string
    }
    answer: s.Invitation
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'invitation_expired' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Join the organization that invited your address. Limits beside the general ones: `sign_in_network`, 100 a minute. */
  acceptInvitation: {
    input: s.InvitationToken
    answer: s.OwnInvitation
    errors: 'already_member' | 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invitation_expired' | 'malformed_request' | 'not_authenticated' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'token_invalid' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Decline the invitation of your address, for good. Limits beside the general ones: `sign_in_network`, 100 a minute. */
  declineInvitation: {
    input: s.InvitationToken
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invitation_expired' | 'malformed_request' | 'not_authenticated' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'token_invalid' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Create an API key. Only this answer has the secret. A repeat creates another key. Permission: `api_keys.manage`. Needs a step-up for this very request: the first answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  createApiKey: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewApiKey
    answer: s.ApiKeyWithSecret
    errors: 'api_key_limit_reached' | 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'role_exceeds_creator' | 'scope_requires_role' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** List the API keys, newest first, also the revoked ones. Permission: `api_keys.list`. */
  listApiKeys: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.ApiKeyPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read an API key. Permission: `api_keys.list`. */
  getApiKey: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the API key. */
      readonly api_key_id: string
    }
    answer: s.ApiKey
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Change the name, role or scopes of an API key. The name alone needs no step-up. Permission: `api_keys.manage`. Needs a step-up for this very request: the first answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  updateApiKey: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the API key. */
      readonly api_key_id: string
    } & s.ApiKeyChanges
    answer: s.ApiKey
    errors: 'api_key_not_permitted' | 'api_key_revoked' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'role_exceeds_creator' | 'scope_requires_role' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Rotate the secret of an API key. The previous secret works for another 24 hours, older ones end at once. Permission: `api_keys.manage`. Needs a step-up for this very request: the first answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  rotateApiKey: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the API key. */
      readonly api_key_id: string
    } & {
}
    answer: s.ApiKeyWithSecret
    errors: 'api_key_not_permitted' | 'api_key_revoked' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Stop an API key, at once and for good. Permission: `api_keys.manage`. */
  revokeApiKey: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the API key. */
      readonly api_key_id: string
    } & {
}
    answer: s.ApiKey
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Let a program or an agent act for you. Only this answer has the secret. A repeat makes another delegate. Needs a step-up for this very request: the first answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. A mailed code proves it only for a person without another factor, or after a sign-in by a recovery code. */
  createDelegate: {
    input: s.NewDelegate
    answer: s.DelegateWithSecret
    errors: 'api_key_not_permitted' | 'delegate_limit_reached' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** List your delegates, newest first, also those that ended */
  listDelegates: {
    input: {
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.DelegatePage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'invalid_request' | 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Rotate the secret of a delegate, and set its end. Only this answer has the secret. The one before works until the new one is used, for 24 hours at most; sessions go on. A client that was connected on a page is connected again instead. Needs a step-up for this very request: the first answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. A mailed code proves it only for a person without another factor, or after a sign-in by a recovery code. */
  rotateDelegate: {
    input: {
      /** Id of the delegate. */
      readonly delegate_id: string
    } & s.DelegateRotation
    answer: s.DelegateWithSecret
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Read the delegate that asks. Its access, its organization and its end. A person is none. */
  getOwnDelegate: {
    input: {}
    answer: s.Delegate
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** End a delegate of yours, with its sessions */
  endDelegate: {
    input: {
      /** Id of the delegate. */
      readonly delegate_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'invalid_request' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List the delegates of all members, newest first. For the owners of the organization alone. */
  listOrganizationDelegates: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.DelegatePage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** End a delegate of any member, with its sessions. For the owners of the organization alone. */
  endOrganizationDelegate: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the delegate. */
      readonly delegate_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read who a client says it is, from the document at its id. The document is read at each call. Limits beside the general ones: `clients`, 60 an hour. */
  getAuthorizationClient: {
    input: {
      /** Id of the client: the address of its description, or `bfs`. */
      readonly client_id: string
      /** Address that the browser returns to, with the code. */
      readonly redirect_uri: string
    }
    answer: s.OAuthClient
    errors: 'api_key_not_permitted' | 'client_not_usable' | 'delegate_not_permitted' | 'invalid_request' | 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Connect a client: make a delegate and a code for it. The code works once, for a minute, with the verifier of its challenge. A repeat makes another delegate. Needs a step-up for this very request: the first answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. A mailed code proves it only for a person without another factor, or after a sign-in by a recovery code. Limits beside the general ones: `clients`, 60 an hour. */
  createAuthorization: {
    input: s.NewAuthorization
    answer: s.AuthorizationCode
    errors: 'api_key_not_permitted' | 'client_not_usable' | 'delegate_limit_reached' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Read the identity provider of an organization. With its domains, and the records that prove them. For the owners of the organization alone. */
  getIdentityProvider: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.IdentityProvider
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Connect the identity provider of an organization. OpenID Connect: its description is read below `issuer`. At the provider this service is a web application with the addresses of the answer. For the owners of the organization alone. Needs a step-up for this very request: the first answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. Limits beside the general ones: `clients`, 60 an hour. */
  connectIdentityProvider: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewIdentityProvider
    answer: s.IdentityProvider
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'identity_provider_connected' | 'identity_provider_unusable' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** Change the identity provider. Absent fields stay. Once it is required, members with an address of a proved domain see the organization only in sessions that began there; owners also in one that they signed in to by a passkey, of which all owners are written to. For the owners of the organization alone. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  updateIdentityProvider: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.IdentityProviderChanges
    answer: s.IdentityProvider
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Disconnect the identity provider. Its sessions and links end, its domains are free, and members sign in with their own passwords. For the owners of the organization alone. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  disconnectIdentityProvider: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.IdentityProviderDisconnected
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter'
    key: 'none'
  }
  /** Claim a domain. The answer names the TXT record that proves it. For the owners of the organization alone. */
  addIdentityProviderDomain: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewIdentityProviderDomain
    answer: s.IdentityProvider
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'domain_not_usable' | 'domain_taken' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Look for the record of a domain. From then on its addresses find the provider at the sign-in. For the owners of the organization alone. Limits beside the general ones: `clients`, 60 an hour. */
  verifyIdentityProviderDomain: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Domain of mail addresses, as name servers know it. */
      readonly domain: string
    } & {
}
    answer: s.IdentityProvider
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'domain_not_proved' | 'domain_taken' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Remove a domain. Its addresses sign in with their own passwords from then on. For the owners of the organization alone. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  removeIdentityProviderDomain: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Domain of mail addresses, as name servers know it. */
      readonly domain: string
    }
    answer: s.IdentityProvider
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter'
    key: 'none'
  }
  /** Begin a sign-in at an identity provider. For an address of a domain that an organization has proved. Open the answered page, and keep the token: the sign-in is completed with it, within ten minutes. Limits beside the general ones: `sign_in_network`, 100 a minute; `sign_in`, 10 a minute; `provider_sign_ins`, 600 a minute. */
  startProviderSignIn: {
    input: s.NewProviderSignIn
    answer: s.ProviderSignIn
    errors: 'idempotency_key_invalid' | 'identity_provider_unusable' | 'invalid_request' | 'malformed_request' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Complete a sign-in at an identity provider. The session sees that organization alone, and is no proof of identity: what needs one asks for a factor that the person has here. `link_required`: the provider names a person who is not linked yet. Limits beside the general ones: `sign_in_network`, 100 a minute. */
  completeProviderSignIn: {
    input: s.ProviderCallback
    answer: s.ProviderSignInAnswer
    errors: 'identity_provider_unusable' | 'invalid_request' | 'malformed_request' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'token_invalid' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Link yourself with an identity provider. In a session of your own, after a sign-in that answered `link_required`, with its token. Needs a step-up for this very request: the first answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. A mailed code proves it only for a person without another factor, or after a sign-in by a recovery code. */
  createIdentityLink: {
    input: s.NewIdentityLink
    answer: s.IdentityLink
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'invalid_request' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'token_invalid' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** List the SCIM tokens, newest first, also the revoked ones. For the owners of the organization alone. */
  listScimTokens: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.ScimTokenPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Make a token for an identity provider. The provider sends it to `scim_url` as a bearer, where it manages members and groups (SCIM 2.0, RFC 7644), and nowhere else. Only this answer has the secret. Up to five work at a time: make another, enter it at the provider, then revoke the one before. For the owners of the organization alone. Needs a step-up for this very request: the first answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  createScimToken: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewScimToken
    answer: s.ScimTokenWithSecret
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Stop a SCIM token, at once and for good. For the owners of the organization alone. */
  revokeScimToken: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the SCIM token. */
      readonly scim_token_id: string
    } & {
}
    answer: s.ScimToken
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** List the groups of the identity provider, newest first. With the role that each gives its members here. For the owners of the organization alone. */
  listScimGroups: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.ScimGroupPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Change the role that a group of the identity provider gives. The strongest role of the groups of a person counts; of several groups with that role what all of them take. No group makes an owner, and owners are not changed. Who leaves the last group with a role is a member then. For the owners of the organization alone. Needs a step-up for this very request: the first answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  updateScimGroup: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the group. */
      readonly scim_group_id: string
    } & s.ScimGroupRole
    answer: s.ScimGroup
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** List approvals, newest first. Members see those that they requested and those that name them. `pending_count` and `can_take_action` are of all that you may see, whatever the filters. Permission: `organization.read`. */
  listApprovals: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those with this status. */
      readonly status?: 'pending' | 'approved' | 'rejected' | 'cancelled' | 'all'
      /** Lists those with one of these statuses; repeatable. */
      readonly statuses?: readonly ('pending' | 'approved' | 'rejected' | 'cancelled')[]
      /** Lists those of this action type. */
      readonly action_type?: 'withdrawal' | 'billing_invoice' | 'payment_contact' | 'organization_invitation' | 'payment_batch'
      /** True: lists those that the caller asked for. */
      readonly mine?: boolean
      /** Lists those whose name or address begins with this text. */
      readonly q?: string
      /** True: each row carries `money` and `warnings`. */
      readonly with_warnings?: boolean
    }
    answer: s.ApprovalPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read an approval. With its steps, its decisions, and what blocks your decision. Permission: `organization.read`. */
  getApproval: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the approval. */
      readonly approval_id: string
    }
    answer: s.ApprovalDetail
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Approve. The last required approval reserves the money, which then moves. Permission: `approvals.review`. Needs a step-up for this very request: the first answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. Refused while the organization is paused. */
  approveRequest: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the approval. */
      readonly approval_id: string
    } & s.Approve
    answer: s.Approval
    errors: 'account_cooling_off' | 'address_required' | 'api_key_not_permitted' | 'approval_already_processed' | 'approval_expired' | 'contact_not_approved' | 'credit_exceeds' | 'delegate_not_permitted' | 'destination_missing' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'insufficient_funds' | 'invalid_request' | 'invalid_state' | 'invoice_incomplete' | 'ip_not_allowed' | 'ledger_unbalanced' | 'malformed_request' | 'no_eligible_approver' | 'not_an_approver' | 'not_authenticated' | 'not_found' | 'onboarding_incomplete' | 'organization_unavailable' | 'payee_held' | 'payee_mismatch' | 'payload_too_large' | 'rate_limited' | 'requester_cannot_approve' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'required'
  }
  /** Reject. Permission: `approvals.review`. */
  rejectRequest: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the approval. */
      readonly approval_id: string
    } & s.Reject
    answer: s.Approval
    errors: 'api_key_not_permitted' | 'approval_already_processed' | 'approval_expired' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_an_approver' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** Send a request back to be changed. It is rejected with `sent_back`, and nothing that was entered is lost: a bill, batch or invoice can be changed again, of a payment and a contact there is a draft. The next request names this one. Permission: `approvals.review`. */
  sendBackRequest: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the approval. */
      readonly approval_id: string
    } & s.SendBack
    answer: s.Approval
    errors: 'api_key_not_permitted' | 'approval_already_processed' | 'approval_expired' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_an_approver' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** Withdraw what you asked for. Permission: `organization.read`. */
  cancelRequest: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the approval. */
      readonly approval_id: string
    } & {
}
    answer: s.Approval
    errors: 'api_key_not_permitted' | 'approval_already_processed' | 'approval_expired' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** Approve or reject up to 100 approvals. Each has a verdict of its own. One step-up covers the whole set. Permission: `approvals.review`. Needs a step-up for this very request: the first answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  decideRequests: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.SetDecision
    answer: s.SetVerdicts
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** Read the evidence of an approval. An auditor can verify by it how the approval was decided. Permission: `approvals.review`. */
  getApprovalEvidence: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the approval. */
      readonly approval_id: string
    }
    answer: s.Evidence
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Get an approval that was given as a signed token. A compact JWS (EdDSA), which the keys at `/.well-known/jwks.json` verify. It names no person but by id. Permission: `approvals.review`. */
  getSignedApproval: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the approval. */
      readonly approval_id: string
    }
    answer: Response
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Fetch a file of what is approved by a fresh link. It is good for 15 minutes. Permission: `organization.read`. */
  getApprovalAttachment: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the approval. */
      readonly approval_id: string
      /** Id of the file. */
      readonly file_id: string
    }
    answer: s.AttachmentFile
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Download a page of a file of what is approved as PNG. XML has no pages. Permission: `organization.read`. */
  getApprovalAttachmentPage: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the approval. */
      readonly approval_id: string
      /** Id of the file. */
      readonly file_id: string
      /** Number of the page, from 1. */
      readonly n: number
    }
    answer: Response
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_file' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Ask about a request. The requester, or another member who sees it, is mailed a link. It decides nothing. Permission: `organization.read`. */
  askQuestion: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the approval. */
      readonly approval_id: string
    } & s.NewQuestion
    answer: s.Question
    errors: 'api_key_not_permitted' | 'approval_already_processed' | 'approval_expired' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'optional'
  }
  /** List the questions about a request, oldest first. Each with its answers. Permission: `organization.read`. */
  listQuestions: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the approval. */
      readonly approval_id: string
    }
    answer: s.QuestionPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read a question with its answers. Permission: `organization.read`. */
  getQuestion: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the question. */
      readonly question_id: string
    }
    answer: s.Question
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Answer a question. The person who is asked may, and the requester. Who asked is mailed a link. Permission: `organization.read`. */
  answerQuestion: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the question. */
      readonly question_id: string
    } & s.NewAnswer
    answer: s.Question
    errors: 'api_key_not_permitted' | 'approval_already_processed' | 'approval_expired' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'optional'
  }
  /** List what needs attention, newest first. At most 200 of a kind. Permission: `organization.read`. */
  listAttention: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those of this severity. */
      readonly severity?: 'blocking' | 'action' | 'info'
      /** Lists those of this kind. */
      readonly kind?: string
      /** Lists those of this audience. */
      readonly audience?: 'organization' | 'viewer'
      /** True: lists those that the caller can do. */
      readonly actionable?: boolean
    }
    answer: s.AttentionItemPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Count what needs attention. Exact counts of every kind, and of those that the caller can do. Permission: `organization.read`. */
  getAttentionSummary: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.AttentionSummary
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read an item that needs attention. Also one beyond the limit of the list. Permission: `organization.read`. */
  getAttentionItem: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the item: `kind:obligation_id`. */
      readonly item_id: string
    }
    answer: s.AttentionItem
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read the chart of accounts, archived ones too. Permission: `bills.read`. */
  getAccountsChart: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.AccountsChart
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Replace the chart of accounts. Codes that are not named are archived: they stay in what they code, and are not chosen any more. Named again, they come back. Permission: `xero.manage`. */
  replaceAccountsChart: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewAccountsChart
    answer: s.AccountsChart
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'none'
  }
  /** Take accounts, tax rates and tracking of the connected books. As the latest sync found them. A tracking category joins the dimension of its code or name, or is a new one. Other codes stay. Permission: `xero.manage`. */
  importAccountsChart: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & {
}
    answer: s.AccountsChart
    errors: 'accounting_not_connected' | 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'none'
  }
  /** Replace the chart of accounts by a CSV file. Columns kind, code, name, account_type, rate; `kind` is `account` (also if it is empty) or `tax_code`. Codes that it does not name are archived. `invalid_file` names the lines. Permission: `xero.manage`. Limits beside the general ones: `pictures`, 30 an hour. */
  uploadAccountsChart: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & { readonly file: Blob }
    answer: s.AccountsChart
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_file' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'none'
  }
  /** List dimensions with their values, archived ones too. Permission: `bills.read`. */
  listDimensions: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.DimensionPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Replace the dimensions and their values. What is not named is archived, and never deleted. Named again, it comes back. Permission: `xero.manage`. */
  replaceDimensions: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewDimensions
    answer: s.DimensionPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'none'
  }
  /** Replace the dimensions by a CSV file. Columns dimension, dimension_name, value, value_name, a row for each value. What it does not name is archived. `invalid_file` names the lines. Permission: `xero.manage`. Limits beside the general ones: `pictures`, 30 an hour. */
  uploadDimensions: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & { readonly file: Blob }
    answer: s.DimensionPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_file' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'none'
  }
  /** Read the coding proposed for bills of a contact. Permission: `bills.read`. */
  getPaymentContactCoding: {
    input: {
      /** Id of the payment contact. */
      readonly payment_contact_id: string
    }
    answer: s.ContactCoding
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Set the coding proposed for bills of a contact. For each line, before what was coded last. Bills are the contact's if they name it, its account, or the supplier of an earlier one. An empty coding takes it away. Permission: `bills.update`. */
  codePaymentContact: {
    input: {
      /** Id of the payment contact. */
      readonly payment_contact_id: string
    } & s.NewContactCoding
    answer: s.ContactCoding
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_coding' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Read the coding of the lines of a bill. A line that nobody has coded is proposed as its contact says, else as lines of the supplier with the same words were coded last, or as all of its lines were. A proposal counts once a person saves it. Permission: `bills.read`. */
  getBillCoding: {
    input: {
      /** Id of the bill. */
      readonly bill_id: string
    }
    answer: s.BillCoding
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Code the lines of a bill. Lines that are not named are not coded any more. Parts are given by `amount` or by `share`, and add up to the line; one part without either is the whole. Permission: `bills.update`. */
  codeBill: {
    input: {
      /** Id of the bill. */
      readonly bill_id: string
    } & s.NewBillCoding
    answer: s.BillCoding
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'invalid_coding' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Read the approval policy. Version 0 is the policy of a new organization. Permission: `organization.read`. */
  getApprovalPolicy: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.ApprovalPolicy
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Replace the approval policy. Pending approvals keep the rule that they were requested under. A payment that exchanges currencies waits at most 60 minutes, whatever `expires_after_hours` says: its rate is valid no longer. For the owners of the organization alone. Permission: `organization.update`. Needs a step-up for this very request: the first answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  setApprovalPolicy: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewApprovalPolicy
    answer: s.ApprovalPolicy
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'no_eligible_approver' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Evaluate the approval policy. Answers who would have to approve such a request, and how limits stand: what was requested, and what is left. Those of payees need `payment_contact_id`. Nothing is written. Permission: `organization.read`. */
  evaluateApprovalPolicy: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.PolicyEvaluationRequest
    answer: s.PolicyEvaluation
    errors: 'amount_precision' | 'amount_too_large' | 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_currency' | 'unsupported_media_type'
    key: 'none'
  }
  /** Rehearse an approval policy. Answers what other rules would have asked for the requests of a span: what changes, who could have approved how much, and what nobody could have approved. Members, roles and rates are those of today. It is not kept whether a past request came from a page or by the API: it counts as both. Limits of payees do not count batches. Nothing is written. Permission: `organization.update`. Limits beside the general ones: `rehearsals`, 30 an hour. */
  rehearseApprovalPolicy: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewPolicyRehearsal
    answer: s.PolicyRehearsal
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Name a substitute. For yourself, or as an owner for another member. The substitute reviews approvals in the role that the member has when they decide: they read what waits for the member, approve and reject. A person counts once for an approval, in whatever capacity. Needs a step-up for this very request: the first answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  createSubstitution: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewSubstitution
    answer: s.Substitution
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'substitute_not_eligible' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** List substitutions, newest first, also those that ended. Permission: `members.list`. */
  listSubstitutions: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** True: lists those that can be selected, or are in force, now. */
      readonly active?: boolean
      /** Id of the person. */
      readonly user_id?: string
      /** Lists those of this substitute. */
      readonly substitute_id?: string
    }
    answer: s.SubstitutionPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read a substitution. Permission: `members.list`. */
  getSubstitution: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the substitution. */
      readonly substitution_id: string
    }
    answer: s.Substitution
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** End a substitution. By the member, the substitute or an owner. What was decided under it stands. */
  endSubstitution: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the substitution. */
      readonly substitution_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Validate a payment destination. Nothing is created; the answer names invalid coordinates. With `check_payee` the bank is asked whether a valid bank account belongs to its holder: 30 times an hour for a person, who needs `payment_destinations.create` in an organization. Limits beside the general ones: `payee_checks`, 30 an hour. */
  validatePaymentDestination: {
    input: s.PaymentDestinationToValidate
    answer: s.PaymentDestinationChecks
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Read the required coordinates of a bank account. Of a country and currency, as a JSON Schema; and what their rail asks for of the address of its holder. */
  getPaymentDestinationRequirements: {
    input: {
      /** Country (ISO 3166-1 alpha-2). */
      readonly country_code: string
      /** Lists those in this currency. */
      readonly currency: string
    }
    answer: s.BankRequirements
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Create a payment contact with its destinations. The first destination, or the marked one, is the default. Permission: `payment_contacts.create`. */
  createPaymentContact: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewPaymentContact
    answer: s.PaymentContact
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'external_id_taken' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_bank_details' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'no_eligible_approver' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'same_account' | 'service_unavailable' | 'unknown_handle' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'optional'
  }
  /** List payment contacts, newest first. Permission: `payment_contacts.list`. */
  listPaymentContacts: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those whose name or address begins with this text. */
      readonly q?: string
      /** Lists those with this tag. */
      readonly tag?: 'vendor' | 'own_account' | 'employee' | 'other'
      /** Lists those of this kind. */
      readonly type?: 'business' | 'individual'
      /** Lists those with this status. */
      readonly status?: 'pending_approval' | 'active' | 'archived'
      /** Kind of destination. */
      readonly destination_type?: 'svc_id' | 'bank' | 'crypto'
      /** Lists those in this currency. */
      readonly currency?: string
      /** True: lists active contacts that are paid at a bank and have no address; false: all others. */
      readonly incomplete?: boolean
      /** Lists the one with this external id. */
      readonly external_id?: string
      /** Lists what the caller made by a request with this Idempotency-Key, however long ago. */
      readonly idempotency_key?: string
    }
    answer: s.PaymentContactPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Download the payment contacts without an address as CSV. All active contacts that are paid at a bank and have no address with town and country, with empty columns for it. Permission: `payment_contacts.list`. */
  getIncompletePaymentContacts: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: Response
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read a payment contact. Account numbers and addresses are masked. Permission: `payment_contacts.list`. */
  getPaymentContact: {
    input: {
      /** Id of the payment contact. */
      readonly payment_contact_id: string
    }
    answer: s.PaymentContact
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Change the name, email, tag or address of a payment contact. The contact must be active, but for its external id and metadata. If the policy requires it, another name waits for approval. Payments that were made keep the address that they were made with. Permission: `payment_contacts.update`. */
  updatePaymentContact: {
    input: {
      /** Id of the payment contact. */
      readonly payment_contact_id: string
    } & s.PaymentContactChange
    answer: s.PaymentContact
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'external_id_taken' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Delete a payment contact. Its pending approval, and payments to it that wait for approval, are cancelled. Permission: `payment_contacts.delete`. */
  deletePaymentContact: {
    input: {
      /** Id of the payment contact. */
      readonly payment_contact_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'contact_in_use' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read a payment contact as a body, to ask for it again. After a request that was sent back, it names that. Permission: `payment_destinations.list`. */
  getPaymentContactDraft: {
    input: {
      /** Id of the payment contact. */
      readonly payment_contact_id: string
    }
    answer: s.PaymentContactDraft
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List the destinations of a contact, newest first. Account numbers and addresses are masked. Permission: `payment_destinations.list`. */
  listPaymentDestinations: {
    input: {
      /** Id of the payment contact. */
      readonly payment_contact_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those of this kind. */
      readonly type?: 'svc_id' | 'bank' | 'crypto'
      /** Lists those in this currency. */
      readonly currency?: string
      /** Lists the one with this external id. */
      readonly external_id?: string
      /** Lists what the caller made by a request with this Idempotency-Key, however long ago. */
      readonly idempotency_key?: string
    }
    answer: s.PaymentDestinationPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Add a destination to a contact. If the policy requires it, the contact waits for approval. Permission: `payment_destinations.create`. */
  createPaymentDestination: {
    input: {
      /** Id of the payment contact. */
      readonly payment_contact_id: string
    } & s.NewPaymentDestination
    answer: s.PaymentDestination
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'external_id_taken' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_bank_details' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'no_eligible_approver' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'same_account' | 'service_unavailable' | 'unknown_handle' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'optional'
  }
  /** Read a destination with its whole coordinates. Permission: `payment_destinations.list`. */
  getPaymentDestination: {
    input: {
      /** Id of the payment destination. */
      readonly payment_destination_id: string
    }
    answer: s.PaymentDestination
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Name a destination, or make it the default. If the policy requires it, the contact waits for approval. Coordinates never change: add another destination. Permission: `payment_destinations.update`. */
  updatePaymentDestination: {
    input: {
      /** Id of the payment destination. */
      readonly payment_destination_id: string
    } & s.PaymentDestinationChange
    answer: s.PaymentDestination
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'external_id_taken' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Delete a payment destination. Payments to it that wait for approval are cancelled. Permission: `payment_destinations.update`. */
  deletePaymentDestination: {
    input: {
      /** Id of the payment destination. */
      readonly payment_destination_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'contact_in_use' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Record that the payee confirmed a bank account when called. By another person than who added the destination, asked for the change, or typed the account in a bill. It ends the waiting after a change of the account. The first record stands. Permission: `payment_destinations.update`. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  confirmPaymentDestination: {
    input: {
      /** Id of the payment destination. */
      readonly payment_destination_id: string
    } & s.NewAccountCallBack
    answer: s.PaymentDestination
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'none'
  }
  /** Read the fees and arrival times. Of payments and exchanges. A rule without currency is for all others, and has no amounts. A payment that is reversed gives back what was paid, and not its fee. */
  getFees: {
    input: {}
    answer: s.FeeTable
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'ip_not_allowed' | 'not_authenticated' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Quote a payment. Answers what it would deduct, deliver and cost, and what blocks it. No money moves. A payment by blockchain needs `payments.send_crypto`, else `payments.send_fiat`. A payment that is reversed gives back what was paid, and not its fee. Permission: `payments.send_fiat` or `payments.send_crypto`. */
  preflightPayment: {
    input: s.NewQuote
    answer: s.Quote
    errors: 'amount_precision' | 'amount_too_large' | 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'destination_missing' | 'forbidden' | 'instant_unavailable' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'market_closed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_currency' | 'unsupported_media_type'
    key: 'none'
  }
  /** Send the payment of a quote; it waits for approval. A payment by blockchain needs `payments.send_crypto`, else `payments.send_fiat`. A payment that is reversed gives back what was paid, and not its fee. Refused while the organization is paused, but for a repeat of what made its payment. Permission: `payments.send_fiat` or `payments.send_crypto`. */
  executePayment: {
    input: s.QuoteExecution
    answer: s.Payment
    errors: 'account_cooling_off' | 'address_required' | 'api_key_not_permitted' | 'contact_not_approved' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'destination_missing' | 'external_id_taken' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_coding' | 'invalid_request' | 'invalid_schedule' | 'ip_not_allowed' | 'ledger_unbalanced' | 'limit_exceeded' | 'malformed_request' | 'market_closed' | 'no_eligible_approver' | 'not_authenticated' | 'not_found' | 'onboarding_incomplete' | 'organization_unavailable' | 'payee_held' | 'payee_mismatch' | 'payload_too_large' | 'quote_already_used' | 'quote_expired' | 'rate_limited' | 'same_account' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_currency' | 'unsupported_media_type' | 'unsupported_rail'
    key: 'optional'
  }
  /** Change the notes, tag and labels of a payment. Its external id and metadata too. In any state; but labels that a rule of the policy compares stay while the payment waits for approval. Permission: `payments.send_fiat`. */
  updatePayment: {
    input: {
      /** Id of the payment. */
      readonly payment_id: string
    } & s.PaymentChange
    answer: s.Payment
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'external_id_taken' | 'forbidden' | 'invalid_coding' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Read a payment. Permission: `transactions.list_own`. */
  getPayment: {
    input: {
      /** Id of the payment. */
      readonly payment_id: string
    }
    answer: s.Payment
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Send a payment by service ID; it waits for approval. Permission: `payments.send_fiat`. Refused while the organization is paused, but for a repeat of what was done before. */
  createPayment: {
    input: s.NewPayment
    answer: s.Payment
    errors: 'account_cooling_off' | 'amount_precision' | 'amount_too_large' | 'api_key_not_permitted' | 'contact_not_approved' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'destination_missing' | 'external_id_taken' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_coding' | 'invalid_request' | 'invalid_schedule' | 'ip_not_allowed' | 'ledger_unbalanced' | 'limit_exceeded' | 'malformed_request' | 'no_eligible_approver' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payee_held' | 'payload_too_large' | 'rate_limited' | 'same_account' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_currency' | 'unsupported_media_type' | 'unsupported_rail'
    key: 'required'
  }
  /** End a payment that waits for its day. Its requester may, and who may decide it, before the day begins: nothing was held for it. To change it, end it and ask again. Permission: `transactions.list_own`. */
  unschedulePayment: {
    input: {
      /** Id of the payment. */
      readonly payment_id: string
    }
    answer: s.Payment
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'payment_not_scheduled' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read what a payment asked for, to ask again. In any state. After a request that was sent back, it names that. Permission: `transactions.list_own`. */
  getPaymentDraft: {
    input: {
      /** Id of the payment. */
      readonly payment_id: string
    }
    answer: s.PaymentDraft
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List payments, newest first. Permission: `transactions.list_own`. */
  listPayments: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those with this status. */
      readonly status?: 'awaiting_approval' | 'submitted' | 'processing' | 'on_hold' | 'cancelling' | 'succeeded' | 'failed' | 'reversed' | 'cancelled'
      /** Lists those of this rail. */
      readonly rail?: 'fiat' | 'crypto' | 'svc_id'
      /** Id of the payment contact. */
      readonly payment_contact_id?: string
      /** Id of the payment batch. */
      readonly payment_batch_id?: string
      /** True: lists payments that wait for their day, which are answered as `submitted`; false: all others. */
      readonly scheduled?: boolean
      /** Lists those with this tag. */
      readonly tag?: 'vendor' | 'own_account' | 'employee' | 'other'
      /** Name for the person who pays, for example "Salary account". */
      readonly label?: string
      /** Lists the one with this external id. */
      readonly external_id?: string
      /** Lists what the caller made by a request with this Idempotency-Key, however long ago. */
      readonly idempotency_key?: string
      /** Lists those since then: a day in UTC or an instant. */
      readonly from?: string
      /** Lists those until then: a whole day in UTC, or an instant, exclusive. */
      readonly to?: string
      /** Lists those of at least this amount. */
      readonly amount_min?: string
      /** Lists those of at most this amount. */
      readonly amount_max?: string
      /** Lists those in this currency. */
      readonly currency?: string
      /** Lists those whose name or address begins with this text. */
      readonly q?: string
    }
    answer: s.PaymentPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read what happened to a payment, oldest first. Permission: `transactions.list_own`. */
  listPaymentEvents: {
    input: {
      /** Id of the payment. */
      readonly payment_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.HistoryEventPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Cancel a crypto payment that still waits for custody. Permission: `payments.send_crypto`. */
  cancelPayment: {
    input: {
      /** Id of the payment. */
      readonly payment_id: string
    }
    answer: s.Payment
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'payment_not_cancellable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Create a payment batch. A draft without rows, into which a file is imported. Permission: `payments.send_fiat`. */
  createPaymentBatch: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewPaymentBatch
    answer: s.PaymentBatch
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'external_id_taken' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** List payment batches, newest first. Permission: `payments.send_fiat`. */
  listPaymentBatches: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those with this status. */
      readonly status?: 'draft' | 'importing' | 'awaiting_approval' | 'processing' | 'cancelling' | 'completed' | 'partially_completed' | 'failed' | 'cancelled'
      /** Lists the one with this external id. */
      readonly external_id?: string
      /** Lists what the caller made by a request with this Idempotency-Key, however long ago. */
      readonly idempotency_key?: string
    }
    answer: s.PaymentBatchPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Download an empty file with all columns of a batch */
  getPaymentBatchTemplate: {
    input: {}
    answer: Response
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'ip_not_allowed' | 'not_authenticated' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read a payment batch. With its progress and the totals of its rows. Permission: `payments.send_fiat`. */
  getPaymentBatch: {
    input: {
      /** Id of the payment batch. */
      readonly batch_id: string
    }
    answer: s.PaymentBatch
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Delete the draft of a batch with its rows. A submitted batch is cancelled instead. Permission: `payments.send_fiat`. */
  deletePaymentBatch: {
    input: {
      /** Id of the payment batch. */
      readonly batch_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'batch_not_draft' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Request an upload address for the CSV file of a batch. PUT the file there, then import it. Permission: `payments.send_fiat`. Limits beside the general ones: `uploads`, 300 an hour. */
  createPaymentBatchUpload: {
    input: {
      /** Id of the payment batch. */
      readonly batch_id: string
    } & s.NewPaymentBatchFile
    answer: s.UploadSlot
    errors: 'api_key_not_permitted' | 'batch_not_draft' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** Request an upload address for the workbook of a batch. As for a CSV file: PUT the workbook (.xlsx) there, then import it. Its first visible sheet is read, by the rules of a CSV file. Permission: `payments.send_fiat`. Limits beside the general ones: `uploads`, 300 an hour. */
  createPaymentBatchDocumentUpload: {
    input: {
      /** Id of the payment batch. */
      readonly batch_id: string
    } & s.NewPaymentBatchDocument
    answer: s.UploadSlot
    errors: 'api_key_not_permitted' | 'batch_not_draft' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** Import an uploaded file into a draft. Its rows replace the present ones. It is `importing` until each has its verdict, or `import_error` says why not. Permission: `payments.send_fiat`. Limits beside the general ones: `imports`, 60 an hour. */
  importPaymentBatchFile: {
    input: {
      /** Id of the payment batch. */
      readonly batch_id: string
    } & s.NewPaymentBatchImport
    answer: s.PaymentBatch
    errors: 'api_key_not_permitted' | 'batch_not_draft' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'file_not_uploaded' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type' | 'upload_size_mismatch'
    key: 'none'
  }
  /** List the rows of a batch in the order of its file. With their errors and warnings. Permission: `payments.send_fiat`. */
  listPaymentBatchRows: {
    input: {
      /** Id of the payment batch. */
      readonly batch_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those with this status. */
      readonly status?: 'valid' | 'invalid' | 'processing' | 'succeeded' | 'failed' | 'skipped'
      /** `file`: as they stand in the file. `amount`: the largest first, compared as numbers. */
      readonly order?: 'file' | 'amount'
      /** Lists those whose name or address begins with this text. */
      readonly q?: string
      /** True: rows with warnings, and those whose payee the bank or a contact knows under another name. */
      readonly remarked?: boolean
    }
    answer: s.PaymentBatchRowPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Add a row to a draft. By the names of the columns. It is validated as the row of a file is. Permission: `payments.send_fiat`. */
  createPaymentBatchRow: {
    input: {
      /** Id of the payment batch. */
      readonly batch_id: string
    } & s.NewPaymentBatchRow
    answer: s.PaymentBatchRow
    errors: 'api_key_not_permitted' | 'batch_not_draft' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'optional'
  }
  /** Correct cells of a row of a draft. By the names of their columns. The row is validated again. What is absent stays, null empties a cell. Permission: `payments.send_fiat`. */
  updatePaymentBatchRow: {
    input: {
      /** Id of the payment batch. */
      readonly batch_id: string
      /** Id of the row. */
      readonly row_id: string
    } & s.PaymentBatchRowChange
    answer: s.PaymentBatchRow
    errors: 'api_key_not_permitted' | 'batch_not_draft' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'none'
  }
  /** Take a row out of a draft; the numbers of the others stay. Permission: `payments.send_fiat`. */
  deletePaymentBatchRow: {
    input: {
      /** Id of the payment batch. */
      readonly batch_id: string
      /** Id of the row. */
      readonly row_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'batch_not_draft' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Submit a batch for approval. `exclude_invalid` leaves out its invalid rows. Permission: `payments.send_fiat`. Refused while the organization is paused. */
  submitPaymentBatch: {
    input: {
      /** Id of the payment batch. */
      readonly batch_id: string
    } & s.PaymentBatchSubmission
    answer: s.PaymentBatch
    errors: 'account_cooling_off' | 'api_key_not_permitted' | 'batch_empty' | 'batch_has_invalid_rows' | 'batch_not_draft' | 'coding_required' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_schedule' | 'ip_not_allowed' | 'ledger_unbalanced' | 'limit_exceeded' | 'malformed_request' | 'no_eligible_approver' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payee_mismatch' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Cancel a submitted batch. Rows that have not begun are skipped, those under way continue. Permission: `payments.send_fiat`. */
  cancelPaymentBatch: {
    input: {
      /** Id of the payment batch. */
      readonly batch_id: string
    }
    answer: s.PaymentBatch
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Download the results of a batch as CSV. All rows as they were written, each with its outcome. All rows are of one instant, with the separator of the imported file. The file can be corrected and imported again. One file at a time is sent to a person. Permission: `transactions.list_own`. */
  getPaymentBatchResults: {
    input: {
      /** Id of the payment batch. */
      readonly batch_id: string
    }
    answer: Response
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Add bills to a draft, a row each. Every check of the payment of one bill holds for its row. A bill that its own payment would refuse is answered with that refusal, and stays out; the others are added. A bill in a batch is not paid by itself: take out its row first. Credit notes are set against bills of the same supplier and currency that are named with them. Permission: `payments.send_fiat`. */
  addPaymentBatchBills: {
    input: {
      /** Id of the payment batch. */
      readonly batch_id: string
    } & s.NewPaymentBatchBills
    answer: s.PaymentBatchBills
    errors: 'api_key_not_permitted' | 'batch_not_draft' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'none'
  }
  /** Request an upload address for the file of a bill. PUT the file there, then create the bill. Permission: `bills.create`. Limits beside the general ones: `uploads`, 300 an hour. */
  createBillUpload: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewBillFile
    answer: s.UploadSlot
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** Create a bill from a file or from fields. A file is read afterwards. The bill is `extracting` until its file is read; what you have typed is kept. Permission: `bills.create`. Limits beside the general ones: `bills`, 100 an hour. */
  createBill: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewBill
    answer: s.Bill
    errors: 'amount_precision' | 'amount_too_large' | 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'external_id_taken' | 'file_not_uploaded' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_bank_details' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type' | 'upload_size_mismatch'
    key: 'optional'
  }
  /** List bills, newest first or by due date. `payable=true` finds what a run can pay, with its sums. Permission: `bills.list`. */
  listBills: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those with this status. */
      readonly status?: 'extracting' | 'extracted' | 'payment_requested' | 'cancelled'
      /** Lists those whose supplier has this text in its name. */
      readonly supplier?: string
      /** Lists those in this currency. */
      readonly currency?: string
      /** Lists those due on this day or later. */
      readonly due_from?: string
      /** Lists those due on this day or earlier. */
      readonly due_to?: string
      /** Lists those due before this day. */
      readonly due_before?: string
      /** True: lists bills whose payment nothing hinders that they say, and that are in no batch; with their sums. */
      readonly payable?: boolean
      /** True: lists credit notes that a batch can use, and that none has used; with their sums. */
      readonly credits?: boolean
      /** True: lists those past their due date. */
      readonly overdue?: boolean
      /** True: lists those that are still to be paid. */
      readonly open?: boolean
      /** True: lists those of which a person coded a line. False: lists the others. */
      readonly coded?: boolean
      /** Order: oldest or newest first. */
      readonly order?: 'newest' | 'due'
      /** Lists the one whose payment this approval is about. */
      readonly approval_request_id?: string
      /** Lists the one with this external id. */
      readonly external_id?: string
      /** Lists what the caller made by a request with this Idempotency-Key, however long ago. */
      readonly idempotency_key?: string
      /** Lists those whose name or address begins with this text. */
      readonly q?: string
    }
    answer: s.BillPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Sum the open bills by the time at which they are due. What is asked for, and not paid yet, is open too. Permission: `bills.list`. */
  sumBills: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.BillSums
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read a bill. With its history, oldest first, and with possible duplicates. Permission: `bills.read`. */
  getBill: {
    input: {
      /** Id of the bill. */
      readonly bill_id: string
    }
    answer: s.BillDetail
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Type what is known of a bill; no reading overwrites it. What is absent stays, null empties. External id and metadata change in any state. Permission: `bills.update`. */
  updateBill: {
    input: {
      /** Id of the bill. */
      readonly bill_id: string
    } & s.BillChange
    answer: s.Bill
    errors: 'amount_precision' | 'amount_too_large' | 'api_key_not_permitted' | 'bill_payment_in_progress' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'external_id_taken' | 'forbidden' | 'invalid_bank_details' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Have the file of a bill read again; what people typed stays. Permission: `bills.update`. Limits beside the general ones: `extractions`, 30 an hour. */
  extractBill: {
    input: {
      /** Id of the bill. */
      readonly bill_id: string
    } & {
}
    answer: s.Bill
    errors: 'api_key_not_permitted' | 'bill_payment_in_progress' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'file_not_uploaded' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Put a bill away that nobody is to pay. Permission: `bills.cancel`. */
  cancelBill: {
    input: {
      /** Id of the bill. */
      readonly bill_id: string
    } & {
}
    answer: s.Bill
    errors: 'api_key_not_permitted' | 'bill_payment_in_progress' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Fetch the original: a fresh link, good for 15 minutes. Permission: `bills.read`. */
  getBillFile: {
    input: {
      /** Id of the bill. */
      readonly bill_id: string
    }
    answer: s.BillFile
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read the provenance of each field of a bill. Who typed it, or on which page and where it was read. Permission: `bills.read`. */
  getBillProvenance: {
    input: {
      /** Id of the bill. */
      readonly bill_id: string
    }
    answer: s.BillProvenance
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Download a page of a bill as PNG. `mark` marks the fields that were read. Boxes of the provenance fit on it: two pixels are a point, as long as the page is no larger than A3. XML has no pages. Four pages at a time are drawn for a person, and six for an organization. Permission: `bills.read`. */
  getBillPage: {
    input: {
      /** Id of the bill. */
      readonly bill_id: string
      /** Number of the page, from 1. */
      readonly n: number
      /** True: the places of the values are marked on the page. */
      readonly mark?: boolean
    }
    answer: Response
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_file' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Open an address that takes bills by mail. Files of mails to it become bills, as if they were uploaded. Permission: `bills.create`. */
  createBillMailbox: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewBillMailbox
    answer: s.BillMailbox
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'optional'
  }
  /** List addresses that take bills, newest first. Also those that have ended. Permission: `bills.list`. */
  listBillMailboxes: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.BillMailboxPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity'
    key: 'none'
  }
  /** Rename an address that takes bills. Permission: `bills.create`. */
  renameBillMailbox: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the address that takes bills. */
      readonly bill_mailbox_id: string
    } & s.BillMailboxChange
    answer: s.BillMailbox
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'none'
  }
  /** End an address that takes bills. Mails to it are refused from now on; those that came stay. Permission: `bills.create`. */
  endBillMailbox: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the address that takes bills. */
      readonly bill_mailbox_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List mails that came to addresses for bills, newest first. Permission: `bills.list`. */
  listInboundMails: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those with this status. */
      readonly status?: 'received' | 'unknown_sender' | 'mail_without_bill' | 'accepted' | 'refused' | 'duplicate'
    }
    answer: s.InboundMailPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read a mail. Who sent it, what the gateway found about the sender, and what each file led to. Permission: `bills.read`. */
  getInboundMail: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the mail. */
      readonly inbound_mail_id: string
    }
    answer: s.InboundMail
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Accept the sender of a mail. Until then its bills are read, and none is paid. Permission: `bills.create`. */
  acceptInboundMail: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the mail. */
      readonly inbound_mail_id: string
    } & s.InboundMailAcceptance
    answer: s.InboundMail
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'none'
  }
  /** Forget the sender of a mail. Later mails of this sender wait again. What was accepted stays. Permission: `bills.create`. */
  forgetInboundMailSender: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the mail. */
      readonly inbound_mail_id: string
    } & {
}
    answer: s.InboundMail
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Refuse a mail. Bills that came by it alone are put away. Its sender hears nothing. Permission: `bills.create`. */
  refuseInboundMail: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the mail. */
      readonly inbound_mail_id: string
    } & {
}
    answer: s.InboundMail
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Preview the payment of a bill. Answers what the request would do now, and what has to be acknowledged for it. Nothing is written; its acknowledgements are not read. Permission: `payments.send_fiat`. */
  preflightBill: {
    input: {
      /** Id of the bill. */
      readonly bill_id: string
    } & s.BillPaymentRequest
    answer: s.BillPaymentPreview
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Request the payment of a bill. It needs approval as every payment does. If its contact has to be approved before, `waits_for` names that approval, and you ask again afterwards. Permission: `payments.send_fiat`. Refused while the organization is paused, but for a repeat of what was done before. */
  requestBillPayment: {
    input: {
      /** Id of the bill. */
      readonly bill_id: string
    } & s.BillPaymentRequest
    answer: s.Bill
    errors: 'account_cooling_off' | 'address_required' | 'amount_precision' | 'amount_too_large' | 'api_key_not_permitted' | 'bill_incomplete' | 'bill_payment_in_progress' | 'coding_required' | 'contact_not_approved' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'destination_missing' | 'duplicate_bill' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_bank_details' | 'invalid_request' | 'invalid_schedule' | 'invalid_state' | 'ip_not_allowed' | 'ledger_unbalanced' | 'limit_exceeded' | 'malformed_request' | 'no_eligible_approver' | 'not_authenticated' | 'not_found' | 'onboarding_incomplete' | 'organization_unavailable' | 'payee_held' | 'payee_mismatch' | 'payload_too_large' | 'rate_limited' | 'same_account' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_currency' | 'unsupported_media_type'
    key: 'required'
  }
  /** Request an upload address for a file of a payment. PUT the file there, then attach it. Permission: `payments.send_fiat`. Limits beside the general ones: `uploads`, 300 an hour. */
  createPaymentAttachmentUpload: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the payment. */
      readonly payment_id: string
    } & s.NewAttachmentFile
    answer: s.UploadSlot
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** List the files of a payment, oldest first. Permission: `transactions.list_own`. */
  listPaymentAttachments: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the payment. */
      readonly payment_id: string
    }
    answer: s.AttachmentPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Attach an uploaded file to a payment. Ten files at most. While an approval waits, its approvers see the file and sign its hash; what was approved before counts no more. Permission: `payments.send_fiat`. */
  attachPaymentFile: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the payment. */
      readonly payment_id: string
      /** Id of the file. */
      readonly file_id: string
    } & {
}
    answer: s.AttachmentPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'file_not_uploaded' | 'forbidden' | 'invalid_file' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type' | 'upload_size_mismatch'
    key: 'none'
  }
  /** Take a file away from a payment. Not one that was approved. While an approval waits, what was approved before counts no more. Permission: `payments.send_fiat`. */
  deletePaymentAttachment: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the payment. */
      readonly payment_id: string
      /** Id of the file. */
      readonly file_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Fetch a file of a payment by a fresh link. It is good for 15 minutes. Permission: `transactions.list_own`. */
  getPaymentAttachment: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the payment. */
      readonly payment_id: string
      /** Id of the file. */
      readonly file_id: string
    }
    answer: s.AttachmentFile
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Request an upload address for a file of a payment contact. PUT the file there, then attach it. Permission: `payment_contacts.create`. Limits beside the general ones: `uploads`, 300 an hour. */
  createPaymentContactAttachmentUpload: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the payment contact. */
      readonly payment_contact_id: string
    } & s.NewAttachmentFile
    answer: s.UploadSlot
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** List the files of a payment contact, oldest first. Permission: `payment_contacts.list`. */
  listPaymentContactAttachments: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the payment contact. */
      readonly payment_contact_id: string
    }
    answer: s.AttachmentPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Attach an uploaded file to a payment contact. Ten files at most. While an approval waits, its approvers see the file and sign its hash; what was approved before counts no more. Permission: `payment_contacts.create`. */
  attachPaymentContactFile: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the payment contact. */
      readonly payment_contact_id: string
      /** Id of the file. */
      readonly file_id: string
    } & {
}
    answer: s.AttachmentPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'file_not_uploaded' | 'forbidden' | 'invalid_file' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type' | 'upload_size_mismatch'
    key: 'none'
  }
  /** Take a file away from a payment contact. Not one that was approved. While an approval waits, what was approved before counts no more. Permission: `payment_contacts.create`. */
  deletePaymentContactAttachment: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the payment contact. */
      readonly payment_contact_id: string
      /** Id of the file. */
      readonly file_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Fetch a file of a payment contact by a fresh link. It is good for 15 minutes. Permission: `payment_contacts.list`. */
  getPaymentContactAttachment: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the payment contact. */
      readonly payment_contact_id: string
      /** Id of the file. */
      readonly file_id: string
    }
    answer: s.AttachmentFile
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Request an upload address for a file of a bill. PUT the file there, then attach it. Permission: `bills.update`. Limits beside the general ones: `uploads`, 300 an hour. */
  createBillAttachmentUpload: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the bill. */
      readonly bill_id: string
    } & s.NewAttachmentFile
    answer: s.UploadSlot
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** List the files of a bill, oldest first. Permission: `bills.read`. */
  listBillAttachments: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the bill. */
      readonly bill_id: string
    }
    answer: s.AttachmentPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Attach an uploaded file to a bill. Ten files at most. While an approval waits, its approvers see the file and sign its hash; what was approved before counts no more. Permission: `bills.update`. */
  attachBillFile: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the bill. */
      readonly bill_id: string
      /** Id of the file. */
      readonly file_id: string
    } & {
}
    answer: s.AttachmentPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'file_not_uploaded' | 'forbidden' | 'invalid_file' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type' | 'upload_size_mismatch'
    key: 'none'
  }
  /** Take a file away from a bill. Not one that was approved. While an approval waits, what was approved before counts no more. Permission: `bills.update`. */
  deleteBillAttachment: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the bill. */
      readonly bill_id: string
      /** Id of the file. */
      readonly file_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Fetch a file of a bill by a fresh link. It is good for 15 minutes. Permission: `bills.read`. */
  getBillAttachment: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the bill. */
      readonly bill_id: string
      /** Id of the file. */
      readonly file_id: string
    }
    answer: s.AttachmentFile
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Request an upload address for a file of a payment batch. PUT the file there, then attach it. Permission: `payments.send_fiat`. Limits beside the general ones: `uploads`, 300 an hour. */
  createPaymentBatchAttachmentUpload: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the payment batch. */
      readonly batch_id: string
    } & s.NewAttachmentFile
    answer: s.UploadSlot
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** List the files of a payment batch, oldest first. Permission: `payments.send_fiat`. */
  listPaymentBatchAttachments: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the payment batch. */
      readonly batch_id: string
    }
    answer: s.AttachmentPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Attach an uploaded file to a payment batch. Ten files at most. While an approval waits, its approvers see the file and sign its hash; what was approved before counts no more. Permission: `payments.send_fiat`. */
  attachPaymentBatchFile: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the payment batch. */
      readonly batch_id: string
      /** Id of the file. */
      readonly file_id: string
    } & {
}
    answer: s.AttachmentPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'file_not_uploaded' | 'forbidden' | 'invalid_file' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type' | 'upload_size_mismatch'
    key: 'none'
  }
  /** Take a file away from a payment batch. Not one that was approved. While an approval waits, what was approved before counts no more. Permission: `payments.send_fiat`. */
  deletePaymentBatchAttachment: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the payment batch. */
      readonly batch_id: string
      /** Id of the file. */
      readonly file_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Fetch a file of a payment batch by a fresh link. It is good for 15 minutes. Permission: `payments.send_fiat`. */
  getPaymentBatchAttachment: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the payment batch. */
      readonly batch_id: string
      /** Id of the file. */
      readonly file_id: string
    }
    answer: s.AttachmentFile
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Request an upload address for a file of a transaction. PUT the file there, then attach it. Permission: `transactions.list_own`. Limits beside the general ones: `uploads`, 300 an hour. */
  createTransactionAttachmentUpload: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the transaction. */
      readonly transaction_id: string
    } & s.NewAttachmentFile
    answer: s.UploadSlot
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** List the files of a transaction, oldest first. Permission: `transactions.list_own`. */
  listTransactionAttachments: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the transaction. */
      readonly transaction_id: string
    }
    answer: s.AttachmentPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Attach an uploaded file to a transaction. Ten files at most. While an approval waits, its approvers see the file and sign its hash; what was approved before counts no more. Permission: `transactions.list_own`. */
  attachTransactionFile: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the transaction. */
      readonly transaction_id: string
      /** Id of the file. */
      readonly file_id: string
    } & {
}
    answer: s.AttachmentPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'file_not_uploaded' | 'forbidden' | 'invalid_file' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type' | 'upload_size_mismatch'
    key: 'none'
  }
  /** Take a file away from a transaction. Not one that was approved. While an approval waits, what was approved before counts no more. Permission: `transactions.list_own`. */
  deleteTransactionAttachment: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the transaction. */
      readonly transaction_id: string
      /** Id of the file. */
      readonly file_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Fetch a file of a transaction by a fresh link. It is good for 15 minutes. Permission: `transactions.list_own`. */
  getTransactionAttachment: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the transaction. */
      readonly transaction_id: string
      /** Id of the file. */
      readonly file_id: string
    }
    answer: s.AttachmentFile
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Create a billing contact. The customer to whom invoices are sent, and their language. Permission: `billing_contacts.create`. */
  createBillingContact: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewBillingContact
    answer: s.BillingContact
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** List billing contacts that are not deleted, newest first. Each word of `q` is part of the name, a mail address or a tax id, in any case, with or without accents. Permission: `billing_contacts.list`. */
  listBillingContacts: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those whose name or address begins with this text. */
      readonly q?: string
    }
    answer: s.BillingContactPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read a billing contact, also a deleted one. Permission: `billing_contacts.list`. */
  getBillingContact: {
    input: {
      /** Id of the billing contact. */
      readonly billing_contact_id: string
    }
    answer: s.BillingContact
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Change a billing contact. Absent fields stay, null clears. Permission: `billing_contacts.update`. */
  updateBillingContact: {
    input: {
      /** Id of the billing contact. */
      readonly billing_contact_id: string
    } & s.BillingContactChange
    answer: s.BillingContact
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Delete a billing contact. Its invoices keep it; it gets no new ones. Permission: `billing_contacts.delete`. */
  deleteBillingContact: {
    input: {
      /** Id of the billing contact. */
      readonly billing_contact_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Request an upload address for a file of an invoice. PUT the file there, then name it in `attachments`. Permission: `billing_invoices.create`. Limits beside the general ones: `uploads`, 300 an hour. */
  createInvoiceUpload: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & {
  readonly filename: string
  readonly byte_size: number
  readonly content_type: 'application/pdf' | 'image/png' | 'image/jpeg' | 'text/csv' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' | 'application/vnd.oasis.opendocument.spreadsheet'
}
    answer: s.UploadSlot
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** Create an invoice. A draft, whose totals are computed from its lines. Permission: `billing_invoices.create`. */
  createInvoice: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewInvoice
    answer: s.Invoice
    errors: 'amount_precision' | 'amount_too_large' | 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'external_id_taken' | 'file_not_uploaded' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_file' | 'invalid_request' | 'invalid_state' | 'invoice_total_negative' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type' | 'upload_size_mismatch'
    key: 'optional'
  }
  /** List invoices, newest first. All of them, or those that you created. Permission: `billing_invoices.list_own`. */
  listInvoices: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Id of the billing contact. */
      readonly billing_contact_id?: string
      /** Lists those in this state. */
      readonly state?: 'draft' | 'awaiting_approval' | 'sent' | 'finalized' | 'paid'
      /** Lists those in this currency. */
      readonly currency?: string
      /** Lists those due on this day or later. */
      readonly due_date_from?: string
      /** Lists those due on this day or earlier. */
      readonly due_date_to?: string
      /** Lists those issued on this day or later. */
      readonly issue_date_from?: string
      /** Lists those issued on this day or earlier. */
      readonly issue_date_to?: string
      /** True: lists those past their due date. */
      readonly overdue?: boolean
      /** Lists those with these words in number, contact, lines or texts. */
      readonly full_text_search?: string
      /** Lists the one with this external id. */
      readonly external_id?: string
      /** Lists what the caller made by a request with this Idempotency-Key, however long ago. */
      readonly idempotency_key?: string
    }
    answer: s.InvoicePage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read an invoice. Permission: `billing_invoices.read`. */
  getInvoice: {
    input: {
      /** Id of the invoice. */
      readonly invoice_id: string
    }
    answer: s.Invoice
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Change a draft; its lines are replaced as a whole. What is absent stays, null empties. External id and metadata change in any state. Permission: `billing_invoices.update`. */
  updateInvoice: {
    input: {
      /** Id of the invoice. */
      readonly invoice_id: string
    } & s.InvoiceChange
    answer: s.Invoice
    errors: 'amount_precision' | 'amount_too_large' | 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'external_id_taken' | 'file_not_uploaded' | 'forbidden' | 'invalid_file' | 'invalid_request' | 'invalid_state' | 'invoice_total_negative' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type' | 'upload_size_mismatch'
    key: 'none'
  }
  /** Delete a draft. Permission: `billing_invoices.delete`. */
  deleteInvoice: {
    input: {
      /** Id of the invoice. */
      readonly invoice_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List the events of an invoice, oldest first. With its mails and payments. Permission: `billing_invoices.read`. */
  listInvoiceEvents: {
    input: {
      /** Id of the invoice. */
      readonly invoice_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.HistoryEventPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Allocate an incoming transaction to an invoice. To all of it or a part. An invoice that is covered is paid. Permission: `billing_invoices.allocate`. */
  createInvoiceAllocation: {
    input: {
      /** Id of the invoice. */
      readonly invoice_id: string
    } & s.NewInvoiceAllocation
    answer: s.InvoiceAllocation
    errors: 'allocation_exceeds' | 'amount_precision' | 'amount_too_large' | 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** List what pays an invoice, newest first. Permission: `billing_invoices.list_allocations`. */
  listInvoiceAllocations: {
    input: {
      /** Id of the invoice. */
      readonly invoice_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.InvoiceAllocationPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Remove an allocation. An invoice that is no longer covered returns to its previous state. Permission: `billing_invoices.allocate`. */
  deleteInvoiceAllocation: {
    input: {
      /** Id of the invoice. */
      readonly invoice_id: string
      /** Id of the allocation. */
      readonly allocation_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Summarize invoices by currency and month. What is owed, overdue, paid and in draft by currency; what was invoiced and paid by month. Permission: `billing_invoices.view_summary`. */
  getInvoiceSummary: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Lists those since then: a day in UTC or an instant. */
      readonly from?: string
      /** Lists those until then: a whole day in UTC, or an instant, exclusive. */
      readonly to?: string
    }
    answer: s.InvoiceSummary
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Submit an invoice. Sends the draft, or requests the approval that the policy requires first. Mails to customers are counted by day, as `customer_mails` and `mails_to_customer`: what is over is refused. Permission: `billing_invoices.submit`. */
  submitInvoice: {
    input: {
      /** Id of the invoice. */
      readonly invoice_id: string
    } & {
}
    answer: s.Invoice
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'invoice_incomplete' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Record that the customer accepted an invoice. All of it, or less. Permission: `billing_invoices.update`. */
  finalizeInvoice: {
    input: {
      /** Id of the invoice. */
      readonly invoice_id: string
    } & s.InvoiceFinalization
    answer: s.Invoice
    errors: 'accepted_amount_exceeds_total' | 'amount_precision' | 'amount_too_large' | 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Record that an invoice is paid. By a transaction, or elsewhere. Permission: `billing_invoices.update`. */
  markInvoicePaid: {
    input: {
      /** Id of the invoice. */
      readonly invoice_id: string
    } & s.InvoicePaidElsewhere
    answer: s.Invoice
    errors: 'allocation_exceeds' | 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Mail an invoice again. To its customer or to other addresses; at most five times an hour. Mails to customers are counted by day, as `customer_mails` and `mails_to_customer`: what is over is refused. Permission: `billing_invoices.resend`. */
  resendInvoice: {
    input: {
      /** Id of the invoice. */
      readonly invoice_id: string
    } & s.InvoiceResending
    answer: s.Invoice
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Download an invoice as PDF. PDF/A-3, with Factur-X inside if its profile is a standard. Only after it was sent, but for a preview. Permission: `billing_invoices.read`. */
  getInvoicePdf: {
    input: {
      /** Id of the invoice. */
      readonly invoice_id: string
      /** True: also a draft, marked as such. */
      readonly draft?: boolean
    }
    answer: Response
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Download an invoice as XML. UBL if its profile is XRechnung, CII otherwise. Only after it was sent. Permission: `billing_invoices.read`. */
  getInvoiceXml: {
    input: {
      /** Id of the invoice. */
      readonly invoice_id: string
    }
    answer: Response
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'invoice_incomplete' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Revoke the public page of an invoice. For good. Permission: `billing_invoices.update`. */
  revokePublicInvoice: {
    input: {
      /** Id of the invoice. */
      readonly invoice_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Create a credit note of an invoice. A draft, of a sent, finalized or paid invoice: with its own lines, or with `full` all lines of the invoice, as long as nothing of it is credited yet. Permission: `billing_invoices.create`. */
  createCreditNote: {
    input: {
      /** Id of the invoice. */
      readonly invoice_id: string
    } & s.NewCreditNote
    answer: s.CreditNote
    errors: 'amount_precision' | 'amount_too_large' | 'api_key_not_permitted' | 'credit_exceeds' | 'credit_total_not_positive' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'external_id_taken' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** List the credit notes of an invoice, newest first. Drafts too. Permission: `billing_invoices.read`. */
  listInvoiceCreditNotes: {
    input: {
      /** Id of the invoice. */
      readonly invoice_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.CreditNotePage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List credit notes, newest first. All of them, or those of the invoices that you created. Permission: `billing_invoices.list_own`. */
  listCreditNotes: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those in this state. */
      readonly state?: 'draft' | 'awaiting_approval' | 'sent'
      /** Id of the invoice. */
      readonly invoice_id?: string
      /** Id of the billing contact. */
      readonly billing_contact_id?: string
      /** Lists those in this currency. */
      readonly currency?: string
      /** Lists those issued on this day or later. */
      readonly issue_date_from?: string
      /** Lists those issued on this day or earlier. */
      readonly issue_date_to?: string
      /** Lists the one with this external id. */
      readonly external_id?: string
      /** Lists what the caller made by a request with this Idempotency-Key, however long ago. */
      readonly idempotency_key?: string
    }
    answer: s.CreditNotePage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read a credit note. Permission: `billing_invoices.read`. */
  getCreditNote: {
    input: {
      /** Id of the credit note. */
      readonly credit_note_id: string
    }
    answer: s.CreditNote
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Change a draft; its lines are replaced as a whole. What is absent stays. External id and metadata change in any state. Permission: `billing_invoices.update`. */
  updateCreditNote: {
    input: {
      /** Id of the credit note. */
      readonly credit_note_id: string
    } & s.CreditNoteChange
    answer: s.CreditNote
    errors: 'amount_precision' | 'amount_too_large' | 'api_key_not_permitted' | 'credit_exceeds' | 'credit_total_not_positive' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'external_id_taken' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Delete a draft. Permission: `billing_invoices.delete`. */
  deleteCreditNote: {
    input: {
      /** Id of the credit note. */
      readonly credit_note_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List the events of a credit note, oldest first. With its mails. Permission: `billing_invoices.read`. */
  listCreditNoteEvents: {
    input: {
      /** Id of the credit note. */
      readonly credit_note_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.HistoryEventPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Submit a credit note. Sends the draft, or requests the approval that the policy requires first; sent, it is never taken back. Mails to customers are counted by day, as `customer_mails` and `mails_to_customer`: what is over is refused. Permission: `billing_invoices.submit`. */
  submitCreditNote: {
    input: {
      /** Id of the credit note. */
      readonly credit_note_id: string
    } & {
}
    answer: s.CreditNote
    errors: 'api_key_not_permitted' | 'credit_exceeds' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'invoice_incomplete' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Mail a credit note again. To its customer or to other addresses; at most five times an hour. Mails to customers are counted by day, as `customer_mails` and `mails_to_customer`: what is over is refused. Permission: `billing_invoices.resend`. */
  resendCreditNote: {
    input: {
      /** Id of the credit note. */
      readonly credit_note_id: string
    } & s.InvoiceResending
    answer: s.CreditNote
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Download a credit note as PDF. PDF/A-3, with Factur-X inside if the profile of its invoice is a standard. Only after it was sent, but for a preview. Permission: `billing_invoices.read`. */
  getCreditNotePdf: {
    input: {
      /** Id of the credit note. */
      readonly credit_note_id: string
      /** True: also a draft, marked as such. */
      readonly draft?: boolean
    }
    answer: Response
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Download a credit note as XML. Of type 381: UBL if the profile is XRechnung, CII otherwise. Only after it was sent. Permission: `billing_invoices.read`. */
  getCreditNoteXml: {
    input: {
      /** Id of the credit note. */
      readonly credit_note_id: string
    }
    answer: Response
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'invoice_incomplete' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List the usual reasons of a payment. Any other text is accepted, too. */
  listPayoutReasons: {
    input: {}
    answer: s.PayoutReasonPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'ip_not_allowed' | 'not_authenticated' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read the receipt of a payment that was paid, as PDF. Permission: `transactions.list_own`. */
  getPaymentReceipt: {
    input: {
      /** Id of the payment. */
      readonly payment_id: string
    }
    answer: Response
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List what the organization holds, by currency. Permission: `organization.view_balances`. Takes an API key with the scope `balances:read`. */
  listOrganizationMultiCurrencyAccounts: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.AccountPage
    errors: 'api_scope_missing' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_api_key' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read the balances as of a past instant, or now. Permission: `organization.view_balances`. */
  listBalances: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Instant of the balances; absent: now. */
      readonly as_of?: string
    }
    answer: s.Balances
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List what the organization can do in each currency. Send, receive, exchange, ask whose account it is: by which partners are connected, and while it is not paused. Permission: `organization.view_capabilities`. */
  listCapabilities: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.Capabilities
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Check the books. Entries, balances, running balances, feed, approvals. Permission: `organization.view_balances`. */
  checkLedgerIntegrity: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.LedgerIntegrity
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read the last proof that partners hold the money. Permission: `organization.view_balances`. */
  readProofOfFunds: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.ProofOfFunds
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List the bank accounts of an organization. Incoming money arrives at them. The first request opens them. Permission: `bank_accounts.list`. */
  listBankAccounts: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.BankAccountPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List the deposit addresses of an organization. Incoming coins arrive at them. The first request opens them. Permission: `deposit_addresses.list`. */
  listDepositAddresses: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.DepositAddressPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List deposits, newest first. Permission: `transactions.list_own`. */
  listDeposits: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those with this status. */
      readonly status?: 'held' | 'credited' | 'returned'
      /** Lists those of this rail. */
      readonly rail?: 'fiat' | 'crypto'
      /** Lists those in this currency. */
      readonly currency?: string
      /** Lists those since then: a day in UTC or an instant. */
      readonly from?: string
      /** Lists those until then: a whole day in UTC, or an instant, exclusive. */
      readonly to?: string
      /** Lists those of at least this amount. */
      readonly amount_min?: string
      /** Lists those of at most this amount. */
      readonly amount_max?: string
      /** Lists those whose name or address begins with this text. */
      readonly q?: string
    }
    answer: s.DepositPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read a deposit. Permission: `transactions.list_own`. */
  getDeposit: {
    input: {
      /** Id of the deposit. */
      readonly deposit_id: string
    }
    answer: s.Deposit
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Name the sender of a held crypto deposit. Complete data credit the deposit. A paused organization may answer, and is credited: money comes in, and none leaves. Permission: `payments.send_fiat`. */
  submitDepositSenderTravelRule: {
    input: {
      /** Id of the deposit. */
      readonly deposit_id: string
    } & s.SenderTravelRule
    answer: s.TravelRuleResult
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'travel_rule_incomplete' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Quote a swap. The quote is firm for one minute. Permission: `payments.swap_fiat`. */
  createSwapQuote: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.SwapQuoteRequest
    answer: s.SwapQuote
    errors: 'amount_precision' | 'amount_too_large' | 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'market_closed' | 'not_authenticated' | 'not_found' | 'onboarding_incomplete' | 'payload_too_large' | 'rate_limited' | 'same_currency' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_currency' | 'unsupported_media_type'
    key: 'none'
  }
  /** Carry out a quote, once. Permission: `payments.swap_fiat`. Refused while the organization is paused, but for a repeat of what was done before. */
  executeSwap: {
    input: s.SwapExecution
    answer: s.Swap
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'insufficient_funds' | 'invalid_request' | 'ip_not_allowed' | 'ledger_unbalanced' | 'malformed_request' | 'market_closed' | 'not_authenticated' | 'not_found' | 'onboarding_incomplete' | 'organization_unavailable' | 'payload_too_large' | 'quote_already_used' | 'quote_expired' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_currency' | 'unsupported_media_type'
    key: 'required'
  }
  /** List swaps, newest first. Permission: `payments.swap_fiat`. */
  listSwaps: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those that give this currency. */
      readonly source_currency?: string
      /** Lists those that receive this currency. */
      readonly target_currency?: string
      /** Lists those since then: a day in UTC or an instant. */
      readonly from?: string
      /** Lists those until then: a whole day in UTC, or an instant, exclusive. */
      readonly to?: string
    }
    answer: s.SwapPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read a swap. Permission: `payments.swap_fiat`. */
  getSwap: {
    input: {
      /** Id of the swap. */
      readonly swap_id: string
    }
    answer: s.Swap
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List the plans that are offered, from the cheapest on. Permission: `organization.view_subscription_offers`. */
  listSubscriptionOffers: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** True: lists those that can be selected, or are in force, now. */
      readonly active?: boolean
    }
    answer: s.SubscriptionOfferPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read the active subscription, or the last one. Permission: `organization.read`. */
  getSubscription: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.LatestSubscription
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** End the subscription at the end of its paid month. Select its plan again to keep it. Permission: `organization.update`. */
  endSubscription: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.LatestSubscription
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Select a plan. The first plan, and an upgrade, take effect at once; any other at the end of the paid month. A dearer plan costs the difference for the days that are left of the month. A plan that is selected later replaces one that was scheduled. Permission: `organization.update`. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. Refused while the organization is paused, but for a repeat of what was done before. */
  selectSubscriptionPlan: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewSubscription
    answer: s.SubscriptionResult
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'insufficient_funds' | 'invalid_request' | 'ip_not_allowed' | 'ledger_unbalanced' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'offer_not_available' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'required'
  }
  /** Withdraw a scheduled change of the plan. The plan stays; neither a change nor an end is scheduled any more. Permission: `organization.update`. */
  cancelScheduledSubscriptionChange: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.LatestSubscription
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'nothing_scheduled' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List the events of the subscription, oldest first. Of the active one, or of the last one. Permission: `organization.read`. */
  listSubscriptionEvents: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.HistoryEventPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List transactions, newest first. With the running balance. A search may answer a short page that is not the last. Permission: `transactions.list_own`. */
  listTransactions: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those of this kind. */
      readonly type?: 'payment' | 'deposit' | 'swap' | 'fee' | 'refund' | 'reversal' | 'subscription'
      /** Lists those in this direction. */
      readonly direction?: 'in' | 'out'
      /** Lists those in this currency. */
      readonly currency?: string
      /** Lists those with this status. */
      readonly status?: 'pending' | 'posted'
      /** Lists those since then: a day in UTC or an instant. */
      readonly from?: string
      /** Lists those until then: a whole day in UTC, or an instant, exclusive. */
      readonly to?: string
      /** Lists those of at least this amount. */
      readonly amount_min?: string
      /** Lists those of at most this amount. */
      readonly amount_max?: string
      /** Id of the payment contact. */
      readonly payment_contact_id?: string
      /** Id of the payment. */
      readonly payment_id?: string
      /** Id of the deposit. */
      readonly deposit_id?: string
      /** Id of the swap. */
      readonly swap_id?: string
      /** Lists those of this category. */
      readonly category?: string
      /** Name for the person who pays, for example "Salary account". */
      readonly label?: string
      /** Lists those whose name or address begins with this text. */
      readonly q?: string
    }
    answer: s.TransactionPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read a transaction. Permission: `transactions.list_own`. */
  getTransaction: {
    input: {
      /** Id of the transaction. */
      readonly transaction_id: string
    }
    answer: s.Transaction
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Change category, labels and internal notes of a transaction. Permission: `transactions.list_own`. */
  updateTransaction: {
    input: {
      /** Id of the transaction. */
      readonly transaction_id: string
    } & s.TransactionChanges
    answer: s.Transaction
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'invalid_coding' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Create an export. A statement of the balances, a list, or an audit pack. The file is there when the status is `completed`. Who lists only their own transactions gets only those, and neither a statement nor a pack. Permission: `transactions.list_own`. Limits beside the general ones: `exports`, 60 an hour. */
  createExport: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewExport
    answer: s.Export
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'format_not_supported' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'range_too_long' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_currency' | 'unsupported_media_type'
    key: 'optional'
  }
  /** List the exports that you have asked for, newest first. Permission: `transactions.list_own`. */
  listExports: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.ExportPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read an export. One that you created, with a new link to its file. Permission: `transactions.list_own`. */
  getExport: {
    input: {
      /** Id of the export. */
      readonly export_id: string
    }
    answer: s.Export
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Have an export that has failed tried again. Permission: `transactions.list_own`. Limits beside the general ones: `exports`, 60 an hour. */
  retryExport: {
    input: {
      /** Id of the export. */
      readonly export_id: string
    } & {
}
    answer: s.Export
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** List the requests to the API, newest first. Those of the last seven days, with an API key or a delegate of this organization, or by a person about this organization; of pages for people only those that were refused. Bodies, values and secrets are not kept. A request appears within about a second. The log is for diagnosis: under a flood or an outage requests may be missing. A page may have fewer than `limit` while `has_more` is true. Reading this log is not in it. Permission: `api_keys.manage`. */
  listRequests: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those since then: a day in UTC or an instant. */
      readonly from?: string
      /** Lists those until then: a whole day in UTC, or an instant, exclusive. */
      readonly to?: string
      /** Id of the request, as the answer named it. */
      readonly request_id?: string
      /** Lists those with this status. */
      readonly status?: number
      /** Lists those with a status of this class; `errors`: 4xx and 5xx. */
      readonly status_class?: '2xx' | '3xx' | '4xx' | '5xx' | 'errors'
      /** Lists those that were refused with this type. */
      readonly error_type?: string
      /** Lists those for this operation. */
      readonly operation?: string
      /** Id of the API key. */
      readonly api_key_id?: string
      /** Id of the delegate. */
      readonly delegate_id?: string
      /** Id of the person. */
      readonly user_id?: string
    }
    answer: s.LoggedRequestPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Find the request of an error. By `error.request_id`. Callers may use an id again: then it is one that was refused, or else the newest. Permission: `api_keys.manage`. */
  getRequest: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the request, as the answer named it. */
      readonly request_id: string
    }
    answer: s.LoggedRequest
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List events in the order of the log, newest first. An event is in the list a moment after it happened, and then keeps its place: none ever appears in front of another. Permission: `transactions.list_all`. */
  listEvents: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those of this kind. */
      readonly type?: readonly string[]
      /** Lists those of this stream. */
      readonly stream?: 'accounting_connections' | 'accounting_mappings' | 'adjustments' | 'api_keys' | 'approval_policies' | 'approvals' | 'bill_mailboxes' | 'billing_contacts' | 'bills' | 'chart_accounts' | 'covers' | 'credit_notes' | 'delegates' | 'deposits' | 'dimensions' | 'exports' | 'identity_providers' | 'inbound_mails' | 'invitations' | 'invoices' | 'members' | 'onboardings' | 'organizations' | 'payment_batches' | 'payment_contacts' | 'payment_destinations' | 'payments' | 'receiving_accounts' | 'scim_groups' | 'scim_tokens' | 'scim_users' | 'screenings' | 'subscriptions' | 'substitutions' | 'swaps' | 'transactions' | 'webhook_endpoints'
      /** Lists those about the thing with this id. */
      readonly subject_id?: string
      /** Lists those since then: a day in UTC or an instant. */
      readonly from?: string
      /** Lists those until then: a whole day in UTC, or an instant, exclusive. */
      readonly to?: string
      /** Order: oldest or newest first. */
      readonly order?: 'asc' | 'desc'
    }
    answer: s.EventPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Verify the hashes of the log. At most 100,000 events behind the cursor. Permission: `transactions.list_all`. */
  verifyEvents: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.EventLogVerification
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List the signed heads of the log, newest first. One is published each day. Permission: `transactions.list_all`. */
  listEventHeads: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.EventHeadPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List the public keys that verify the heads of logs */
  listEventLogKeys: {
    input: {}
    answer: s.EventLogKeyPage
    errors: 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read an event. A recent event has no place in the log yet. Permission: `transactions.list_all`. */
  getEvent: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the event. */
      readonly event_id: string
    }
    answer: s.Event
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Stream events as server-sent events. From now on, or from behind `Last-Event-ID`. Each has the event as JSON in `data`, its id in `id` and its type in `event`. It ends with the session, the membership, the permission or its network; a client that goes on with `Last-Event-ID` misses nothing. At most 5 for a person. Permission: `transactions.list_all`. */
  streamEvents: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Lists those of this kind. */
      readonly type?: readonly string[]
      /** Lists those of this stream. */
      readonly stream?: 'accounting_connections' | 'accounting_mappings' | 'adjustments' | 'api_keys' | 'approval_policies' | 'approvals' | 'bill_mailboxes' | 'billing_contacts' | 'bills' | 'chart_accounts' | 'covers' | 'credit_notes' | 'delegates' | 'deposits' | 'dimensions' | 'exports' | 'identity_providers' | 'inbound_mails' | 'invitations' | 'invoices' | 'members' | 'onboardings' | 'organizations' | 'payment_batches' | 'payment_contacts' | 'payment_destinations' | 'payments' | 'receiving_accounts' | 'scim_groups' | 'scim_tokens' | 'scim_users' | 'screenings' | 'subscriptions' | 'substitutions' | 'swaps' | 'transactions' | 'webhook_endpoints'
    }
    answer: s.Event
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** List the countries of ISO 3166-1. In the order of their alpha-2 codes, with their names in all languages. All of them without `limit` and `cursor`, which is the `alpha2` of the last country. `calling_codes` is empty, and `currency` null, if there is none. */
  listCountries: {
    input: {
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.CountryPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List the subdivisions of a country (ISO 3166-2). In the order of their codes, with all translations. The country is named by its alpha-2 or alpha-3, in any case. All of them without `limit` and `cursor`, the last `code`. */
  listSubdivisions: {
    input: {
      /** Country (ISO 3166-1 alpha-2). */
      readonly country_code: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.SubdivisionPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List currencies and coins. Those of amounts, in the order of their codes, with their decimals. All of them without `limit` and `cursor`, which is the `code` of the last currency. */
  listCurrencies: {
    input: {
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.CurrencyPage
    errors: 'api_key_not_permitted' | 'delegate_address_not_allowed' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'organization_unavailable' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List what an organization is connected with. Permission: `organization.read`. */
  listIntegrations: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.AccountingIntegrationPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Begin to connect an accounting program. Open the answered address, and consent there within ten minutes. The program sends the person back to `/oauth/accounting/callback`. Connecting again replaces what was connected. Permission: `integrations.connect`. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. Limits beside the general ones: `consents`, 20 an hour. */
  connectAccounting: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewAccountingConnection
    answer: s.AccountingConnectionStart
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'none'
  }
  /** Disconnect the accounting program. Nothing is posted any more, and the consent is revoked. What was posted stays in the books, and is not posted again if they are connected again. Mappings stay. Permission: `integrations.disconnect`. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  disconnectAccounting: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & {
}
    answer: s.AccountingIntegration
    errors: 'accounting_not_connected' | 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** List what can be mapped to accounts. The same for every organization. A `card_category` takes one of the categories as `source_value`; each other type is mapped once, without one. Permission: `organization.read`. */
  getAccountingMappingOptions: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.AccountingMappingOptions
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List the accounts of the connected books. As the latest sync found them. Permission: `xero.manage`. */
  listAccountingAccounts: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.AccountingAccountPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List which accounts are chosen for what. Permission: `xero.manage`. */
  listAccountingMappings: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    }
    answer: s.AccountingMappingPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Replace the mappings to accounts. What is not named has no account afterwards. What could not be posted is tried again by the next sync. What is in the books stays as it is. Permission: `xero.manage`. */
  replaceAccountingMappings: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewAccountingMappings
    answer: s.AccountingMappingPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_mapping' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Sync to the accounting program. Posts new transactions, paid bills and paid invoices, each once. Answers the run that is under way if there is one. It goes on by itself: read the runs. Permission: `xero.manage`. */
  syncAccounting: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & {
}
    answer: s.AccountingSync
    errors: 'accounting_not_connected' | 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'organization_unavailable' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** List the syncs of the last 90 days, newest first. With the items that could not be posted. Permission: `xero.manage`. */
  listAccountingSyncRuns: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.AccountingSyncPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Create a webhook endpoint. Events are delivered to its address from now on. Without `types` it gets all of them. The `secret` verifies the signature of what is delivered. The answer alone holds it, and a repeat makes another endpoint. Permission: `organization.update`. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  createWebhookEndpoint: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewWebhookEndpoint
    answer: s.WebhookEndpointWithSecret
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'invalid_request' | 'invalid_webhook_url' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type' | 'webhook_endpoint_limit_reached'
    key: 'none'
  }
  /** List webhook endpoints, newest first. Permission: `organization.update`. */
  listWebhookEndpoints: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.WebhookEndpointPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read a webhook endpoint. With the state of its deliveries. Permission: `organization.update`. */
  getWebhookEndpoint: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the webhook endpoint. */
      readonly webhook_endpoint_id: string
    }
    answer: s.WebhookEndpoint
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Change a webhook endpoint. Its address, types or description. What waits goes to the new address at once. A new type is for what happens from then on; what waits of a type that is taken out is not sent, and `failed`. Permission: `organization.update`. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  updateWebhookEndpoint: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the webhook endpoint. */
      readonly webhook_endpoint_id: string
    } & s.WebhookEndpointChanges
    answer: s.WebhookEndpoint
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_webhook_url' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Delete a webhook endpoint. Deliveries under way are completed; nothing else is delivered. Permission: `organization.update`. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  deleteWebhookEndpoint: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the webhook endpoint. */
      readonly webhook_endpoint_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter'
    key: 'none'
  }
  /** Rotate the secret of a webhook endpoint. The previous secret also signs for another 24 hours. The answer alone holds the secret, and a repeat makes another one: two within a day end the first at once. Permission: `organization.update`. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  rotateWebhookSecret: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the webhook endpoint. */
      readonly webhook_endpoint_id: string
    } & {
}
    answer: s.WebhookEndpointWithSecret
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Enable a disabled webhook endpoint. Delivery continues where it stopped; nothing is left out. Permission: `organization.update`. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  enableWebhookEndpoint: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the webhook endpoint. */
      readonly webhook_endpoint_id: string
    } & {
}
    answer: s.WebhookEndpoint
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Disable a webhook endpoint. Events wait until it is enabled. Permission: `organization.update`. */
  disableWebhookEndpoint: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the webhook endpoint. */
      readonly webhook_endpoint_id: string
    } & {
}
    answer: s.WebhookEndpoint
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** List the deliveries to an endpoint, newest first. Of the last 30 days, with every try. Permission: `organization.update`. */
  listWebhookDeliveries: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the webhook endpoint. */
      readonly webhook_endpoint_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those with this status. */
      readonly status?: 'pending' | 'succeeded' | 'failed'
      /** Id of the event. */
      readonly event_id?: string
    }
    answer: s.WebhookEndpointDeliveryPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read a delivery, with every try and what was answered. Permission: `organization.update`. */
  getWebhookDelivery: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the webhook endpoint. */
      readonly webhook_endpoint_id: string
      /** Id of the delivery. */
      readonly delivery_id: string
    }
    answer: s.WebhookEndpointDelivery
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Deliver an event again. A pending delivery is tried at once, with those before it. Permission: `organization.update`. */
  replayWebhookDelivery: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the webhook endpoint. */
      readonly webhook_endpoint_id: string
      /** Id of the delivery. */
      readonly delivery_id: string
    } & {
}
    answer: s.WebhookEndpointDelivery
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Deliver a test event. Its type is `webhook_endpoint.test`; it is in no log. Permission: `organization.update`. */
  testWebhookEndpoint: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the webhook endpoint. */
      readonly webhook_endpoint_id: string
    } & {
}
    answer: s.WebhookEndpointDelivery
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Deliver the events of a period again. In their order, beside new events. Only types that the endpoint takes. One replay of an endpoint goes on at a time. Permission: `organization.update`. */
  replayWebhookEvents: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the webhook endpoint. */
      readonly webhook_endpoint_id: string
    } & s.NewWebhookReplay
    answer: s.WebhookReplay
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'optional'
  }
  /** List the replays of an endpoint, newest first. Permission: `organization.update`. */
  listWebhookReplays: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the webhook endpoint. */
      readonly webhook_endpoint_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.WebhookReplayPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Create a log stream. All events of the organization from now on, as OCSF 1.3: members as account change (3001), their sign-ins as authentication (3002), all else as entity management (3004). At least once, in order by subject. By HTTPS signed as webhooks are; by syslog (RFC 5424) over TLS (RFC 5425). The answer alone holds the secret, and a repeat makes another stream. For the owners of the organization alone. Needs a step-up for this very request: the first answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  createLogStream: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
    } & s.NewHttpsLogStream | s.NewSyslogLogStream
    answer: s.LogStreamWithSecret
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'idempotency_key_invalid' | 'invalid_request' | 'invalid_webhook_url' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type' | 'webhook_endpoint_limit_reached'
    key: 'none'
  }
  /** List the log streams, newest first. For the owners of the organization alone. */
  listLogStreams: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.LogStreamPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read a log stream. With the state of its deliveries. For the owners of the organization alone. */
  getLogStream: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the log stream. */
      readonly log_stream_id: string
    }
    answer: s.LogStream
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Pause or resume a log stream, or describe it. Events wait while it is paused; nothing is left out. For the owners of the organization alone. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  updateLogStream: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the log stream. */
      readonly log_stream_id: string
    } & s.LogStreamChanges
    answer: s.LogStream
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Delete a log stream. For the owners of the organization alone. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  deleteLogStream: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the log stream. */
      readonly log_stream_id: string
    }
    answer: s.Deleted
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter'
    key: 'none'
  }
  /** Rotate the secret of a log stream. The previous secret also signs for another 24 hours. The answer alone holds the secret, and a repeat makes another one. For the owners of the organization alone. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  rotateLogStreamSecret: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the log stream. */
      readonly log_stream_id: string
    } & {
}
    answer: s.LogStreamWithSecret
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Send a test event to a log stream. It is in no log; `last_success_at` tells if it was taken. For the owners of the organization alone. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  testLogStream: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the log stream. */
      readonly log_stream_id: string
    } & {
}
    answer: s.LogStream
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** List the deliveries to a log stream, newest first. Of the last 30 days, with every try. For the owners of the organization alone. */
  listLogStreamDeliveries: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the log stream. */
      readonly log_stream_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those with this status. */
      readonly status?: 'pending' | 'succeeded' | 'failed'
      /** Id of the event. */
      readonly event_id?: string
    }
    answer: s.WebhookEndpointDeliveryPage
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Read a delivery to a log stream, with every try. For the owners of the organization alone. */
  getLogStreamDelivery: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the log stream. */
      readonly log_stream_id: string
      /** Id of the delivery. */
      readonly delivery_id: string
    }
    answer: s.WebhookEndpointDelivery
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'ip_not_allowed' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Send an event to a log stream again. A pending delivery is tried at once, with those before it. For the owners of the organization alone. Needs a step-up, which is good for five minutes of this session: without one the answer is 403 `step_up_required` with a challenge; once that is verified, repeat the request unchanged. */
  replayLogStreamDelivery: {
    input: {
      /** Id of the organization. */
      readonly organization_id: string
      /** Id of the log stream. */
      readonly log_stream_id: string
      /** Id of the delivery. */
      readonly delivery_id: string
    } & {
}
    answer: s.WebhookEndpointDelivery
    errors: 'api_key_not_permitted' | 'delegate_not_permitted' | 'forbidden' | 'invalid_request' | 'invalid_state' | 'ip_not_allowed' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'step_up_required' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** List every error type with its status and message */
  listErrorTypes: {
    input: {}
    answer: s.ListedErrorTypePage
    errors: 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List every type of event with the JSON Schema of its payload */
  listEventTypes: {
    input: {}
    answer: s.ListedEventTypePage
    errors: 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List the tenants of the accounting program. With the number of calls to each, newest first. Exists in the test environment only. */
  listSandboxAccountingTenants: {
    input: {
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
    }
    answer: s.SandboxTenantPage
    errors: 'invalid_request' | 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List what was posted to a tenant, newest first. Exists in the test environment only. */
  listSandboxAccountingItems: {
    input: {
      /** Id of the organization in the accounting program. */
      readonly tenant_id: string
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those of this kind. */
      readonly type?: 'BankTransactions' | 'BankTransfers' | 'Contacts' | 'CreditNotes' | 'Invoices' | 'ManualJournals' | 'Payments'
    }
    answer: s.SandboxItemPage
    errors: 'invalid_request' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Move business time forward for the whole test environment. Exists in the test environment only. */
  advanceClock: {
    input: {
  readonly seconds: number
}
    answer: s.SandboxClock
    errors: 'invalid_request' | 'malformed_request' | 'not_authenticated' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Read business time. Exists in the test environment only. */
  getClock: {
    input: {}
    answer: s.SandboxClock
    errors: 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Let money arrive for an organization. Coins from a threshold on are held until their sender is named. Exists in the test environment only. */
  createSandboxDeposit: {
    input: s.NewDeposit
    answer: s.Deposit
    errors: 'amount_precision' | 'amount_too_large' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_currency' | 'unsupported_media_type'
    key: 'optional'
  }
  /** Let money arrive for an account. An operator decides if no organization has the account. Exists in the test environment only. */
  createSandboxUnmatchedDeposit: {
    input: s.NewSandboxArrival
    answer: s.SandboxArrival
    errors: 'idempotency_key_invalid' | 'invalid_request' | 'malformed_request' | 'not_authenticated' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_currency' | 'unsupported_media_type'
    key: 'none'
  }
  /** Let the customer of an invoice pay it. By a deposit that names its number, of the amount due unless `amount` is given. Exists in the test environment only. */
  paySandboxInvoice: {
    input: {
      /** Id of the invoice. */
      readonly invoice_id: string
    } & s.SandboxPay
    answer: s.Deposit
    errors: 'idempotency_key_invalid' | 'idempotency_key_reused' | 'invalid_request' | 'invalid_state' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_currency' | 'unsupported_media_type'
    key: 'optional'
  }
  /** Let a stand-in partner fail the next n times. Exists in the test environment only. */
  setSandboxFault: {
    input: s.NewSandboxFault
    answer: s.SandboxFault
    errors: 'invalid_request' | 'malformed_request' | 'not_authenticated' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unprocessable_entity' | 'unsupported_media_type'
    key: 'none'
  }
  /** List the faults that are left. Exists in the test environment only. */
  listSandboxFaults: {
    input: {}
    answer: s.SandboxFaultPage
    errors: 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Have all stand-in partners behave again. Exists in the test environment only. */
  clearSandboxFaults: {
    input: {}
    answer: s.SandboxFaultPage
    errors: 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Open or close the market. Or let it follow the calendar of business time. Exists in the test environment only. */
  setSandboxMarket: {
    input: s.NewSandboxMarket
    answer: s.SandboxMarket
    errors: 'invalid_request' | 'malformed_request' | 'not_authenticated' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Read how the market is set and whether it is open. Exists in the test environment only. */
  getSandboxMarket: {
    input: {}
    answer: s.SandboxMarket
    errors: 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** List sent messages, newest first. Waits for messages to this recipient that are on their way. Exists in the test environment only. */
  listSandboxMessages: {
    input: {
      /** Clamped to 1..100, never refused. */
      readonly limit?: number
      /** Cursor of the page: `next_cursor` of the page before. Absent for the first page. */
      readonly cursor?: string
      /** Lists those until then: a whole day in UTC, or an instant, exclusive. */
      readonly to?: string
    }
    answer: s.SandboxMessagePage
    errors: 'invalid_request' | 'not_authenticated' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Show the HTML part of a mail. As mail programs show it. Messages to phones have none. Exists in the test environment only. */
  showSandboxMessage: {
    input: {
      /** Id of the thing. */
      readonly id: string
    }
    answer: Response
    errors: 'invalid_request' | 'not_authenticated' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter'
    key: 'none'
  }
  /** Decide about an organization as the operators would. Stand-ins of partners decide by themselves. Exists in the test environment only. */
  decideOnboarding: {
    input: {
  readonly organization_id: string
  readonly status: 'verified' | 'needs_more' | 'rejected'
  readonly asks?: readonly {
  readonly field: string
  readonly reason: string
}[]
}
    answer: s.KybStatus
    errors: 'invalid_request' | 'invalid_state' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Move a payment at its partner. Waits until it has moved here. Exists in the test environment only. */
  advanceSandboxPayment: {
    input: {
      /** Id of the payment. */
      readonly payment_id: string
    } & s.ClockAdvance
    answer: s.Payment
    errors: 'invalid_request' | 'invalid_state' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
  /** Decide a step-up as a device of the person would. Exists in the test environment only. */
  decideSandboxStepUp: {
    input: {
      /** Id of the thing. */
      readonly id: string
    } & s.StepUpDecision
    answer: s.StepUp
    errors: 'invalid_request' | 'malformed_request' | 'not_authenticated' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'service_unavailable' | 'unknown_parameter' | 'unsupported_media_type'
    key: 'none'
  }
}

/** Method, path, names in the query, form of the answer, and use of an Idempotency-Key. */
export const OPERATIONS: Readonly<Record<keyof Operations, readonly [string, string, string, string, string]>> = {
  signUp: ['POST', '/api/v1/auth/sign-up', '', 'json', 'none'],
  confirmEmail: ['POST', '/api/v1/auth/email/confirm', '', 'json', 'none'],
  readMailedLink: ['POST', '/api/v1/auth/mailed-links', '', 'json', 'none'],
  signIn: ['POST', '/api/v1/auth/sign-in', '', 'json', 'none'],
  completeSignIn: ['POST', '/api/v1/auth/mfa', '', 'json', 'none'],
  completeSignInWithPasskey: ['POST', '/api/v1/auth/webauthn', '', 'json', 'none'],
  setUpAuthenticatorAtSignIn: ['POST', '/api/v1/auth/sign-in/totp/setup', '', 'json', 'none'],
  activateAuthenticatorAtSignIn: ['POST', '/api/v1/auth/sign-in/totp/activate', '', 'json', 'none'],
  signOut: ['POST', '/api/v1/auth/sign-out', '', 'json', 'none'],
  forgotPassword: ['POST', '/api/v1/auth/password/forgot', '', 'json', 'none'],
  resetPassword: ['POST', '/api/v1/auth/password/reset', '', 'json', 'none'],
  changePassword: ['POST', '/api/v1/me/password', '', 'json', 'none'],
  keepFactors: ['POST', '/api/v1/auth/factors/keep', '', 'json', 'none'],
  setUpAuthenticator: ['POST', '/api/v1/auth/totp/setup', '', 'json', 'none'],
  activateAuthenticator: ['POST', '/api/v1/auth/totp/activate', '', 'json', 'none'],
  removeAuthenticator: ['DELETE', '/api/v1/auth/totp', '', 'json', 'none'],
  createRecoveryCodes: ['POST', '/api/v1/me/recovery-codes', '', 'json', 'none'],
  countRecoveryCodes: ['GET', '/api/v1/me/recovery-codes', '', 'json', 'none'],
  createLoginCredential: ['POST', '/api/v1/auth/login-credential', '', 'json', 'none'],
  signInOnDevice: ['POST', '/api/v1/auth/sign-in/device', '', 'json', 'none'],
  listDevices: ['GET', '/api/v1/devices', 'limit,cursor', 'page', 'none'],
  renameDevice: ['PATCH', '/api/v1/devices/{device_id}', '', 'json', 'none'],
  removeDevice: ['DELETE', '/api/v1/devices/{device_id}', '', 'json', 'none'],
  listSessions: ['GET', '/api/v1/me/sessions', 'limit,cursor', 'page', 'none'],
  endOtherSessions: ['DELETE', '/api/v1/me/sessions', '', 'json', 'none'],
  endSession: ['DELETE', '/api/v1/me/sessions/{id}', '', 'json', 'none'],
  getMe: ['GET', '/api/v1/me', '', 'json', 'none'],
  updateMe: ['PATCH', '/api/v1/me', '', 'json', 'none'],
  setPrimaryOrganization: ['PUT', '/api/v1/me/primary-organization', '', 'json', 'none'],
  addPhoneNumber: ['POST', '/api/v1/me/phone-numbers', '', 'json', 'none'],
  confirmPhoneNumber: ['POST', '/api/v1/me/phone-numbers/confirm', '', 'json', 'none'],
  removePhoneNumber: ['DELETE', '/api/v1/me/phone-numbers/{e164}', '', 'json', 'none'],
  uploadAvatar: ['POST', '/api/v1/me/avatar', '', 'json', 'none'],
  removeAvatar: ['DELETE', '/api/v1/me/avatar', '', 'json', 'none'],
  getAvatar: ['GET', '/api/v1/avatars/{avatar_id}', '', 'bytes', 'none'],
  listSecurityEvents: ['GET', '/api/v1/me/security-events', 'limit,cursor,type', 'page', 'none'],
  listPasskeys: ['GET', '/api/v1/me/passkeys', 'limit,cursor', 'page', 'none'],
  createPasskey: ['POST', '/api/v1/me/passkeys', '', 'json', 'optional'],
  getPasskeyOptions: ['POST', '/api/v1/me/passkeys/options', '', 'json', 'none'],
  renamePasskey: ['PATCH', '/api/v1/me/passkeys/{id}', '', 'json', 'none'],
  deletePasskey: ['DELETE', '/api/v1/me/passkeys/{id}', '', 'json', 'none'],
  getStepUp: ['GET', '/api/v1/step-up/{id}', '', 'json', 'none'],
  completeStepUp: ['POST', '/api/v1/step-up/{id}/complete', '', 'json', 'none'],
  requestStepUpFallback: ['POST', '/api/v1/step-up/{id}/fallback', '', 'json', 'none'],
  createApprovalCredential: ['POST', '/api/v1/me/approval-credential', '', 'json', 'none'],
  listApprovalCredentials: ['GET', '/api/v1/me/approval-credentials', 'limit,cursor', 'page', 'none'],
  getApprovalCredential: ['GET', '/api/v1/me/approval-credentials/{id}', '', 'json', 'none'],
  deleteApprovalCredential: ['DELETE', '/api/v1/me/approval-credentials/{id}', '', 'json', 'none'],
  listChallenges: ['GET', '/api/v1/me/challenges', 'limit,cursor', 'page', 'none'],
  approveChallenge: ['POST', '/api/v1/me/challenges/{id}/approve', '', 'json', 'none'],
  denyChallenge: ['POST', '/api/v1/me/challenges/{id}/deny', '', 'json', 'none'],
  listOrganizations: ['GET', '/api/v1/organizations', 'limit,cursor', 'page', 'none'],
  createOrganization: ['POST', '/api/v1/organizations', '', 'json', 'optional'],
  getOrganization: ['GET', '/api/v1/organizations/{organization_id}', '', 'json', 'none'],
  updateOrganization: ['PATCH', '/api/v1/organizations/{organization_id}', '', 'json', 'none'],
  claimHandle: ['POST', '/api/v1/organizations/{organization_id}/claim-handle', '', 'json', 'none'],
  getHandle: ['GET', '/api/v1/handles/{svc_id}', '', 'json', 'none'],
  getOnboarding: ['GET', '/api/v1/organizations/{organization_id}/onboarding', '', 'json', 'none'],
  putLegalEntity: ['PUT', '/api/v1/organizations/{organization_id}/onboarding/entity', '', 'json', 'none'],
  addOnboardingPerson: ['POST', '/api/v1/organizations/{organization_id}/onboarding/people', '', 'json', 'optional'],
  updateOnboardingPerson: ['PATCH', '/api/v1/organizations/{organization_id}/onboarding/people/{person_id}', '', 'json', 'none'],
  removeOnboardingPerson: ['DELETE', '/api/v1/organizations/{organization_id}/onboarding/people/{person_id}', '', 'json', 'none'],
  addOnboardingDocument: ['POST', '/api/v1/organizations/{organization_id}/onboarding/documents', '', 'json', 'optional'],
  removeOnboardingDocument: ['DELETE', '/api/v1/organizations/{organization_id}/onboarding/documents/{file_id}', '', 'json', 'none'],
  submitOnboarding: ['POST', '/api/v1/organizations/{organization_id}/onboarding/submit', '', 'json', 'none'],
  getKybStatus: ['GET', '/api/v1/organizations/{organization_id}/kyb-status', '', 'json', 'none'],
  getOrganizationSettings: ['GET', '/api/v1/organizations/{organization_id}/settings', '', 'json', 'none'],
  updateOrganizationSettings: ['PATCH', '/api/v1/organizations/{organization_id}/settings', '', 'json', 'none'],
  getIpAllowList: ['GET', '/api/v1/organizations/{organization_id}/ip-allow-list', '', 'json', 'none'],
  replaceIpAllowList: ['PUT', '/api/v1/organizations/{organization_id}/ip-allow-list', '', 'json', 'none'],
  removeIpAllowList: ['DELETE', '/api/v1/organizations/{organization_id}/ip-allow-list', '', 'json', 'none'],
  liftIpAllowList: ['POST', '/api/v1/organizations/{organization_id}/ip-allow-list/lift', '', 'json', 'none'],
  cancelIpAllowListLift: ['DELETE', '/api/v1/organizations/{organization_id}/ip-allow-list/lift', '', 'json', 'none'],
  uploadLogo: ['POST', '/api/v1/organizations/{organization_id}/logo', '', 'json', 'none'],
  removeLogo: ['DELETE', '/api/v1/organizations/{organization_id}/logo', '', 'json', 'none'],
  getLogo: ['GET', '/api/v1/logos/{logo_id}', '', 'bytes', 'none'],
  listMembers: ['GET', '/api/v1/organizations/{organization_id}/members', 'limit,cursor,role,q,user_ids', 'page', 'none'],
  updateMember: ['PATCH', '/api/v1/organizations/{organization_id}/members/{user_id}', '', 'json', 'none'],
  removeMember: ['DELETE', '/api/v1/organizations/{organization_id}/members/{user_id}', '', 'json', 'none'],
  leaveOrganization: ['POST', '/api/v1/organizations/{organization_id}/leave', '', 'json', 'none'],
  transferOwnership: ['POST', '/api/v1/organizations/{organization_id}/transfer-ownership', '', 'json', 'none'],
  listInvitations: ['GET', '/api/v1/organizations/{organization_id}/invitations', 'limit,cursor,status,q', 'page', 'none'],
  createInvitations: ['POST', '/api/v1/organizations/{organization_id}/invitations/bulk', '', 'json', 'optional'],
  getInvitation: ['GET', '/api/v1/organizations/{organization_id}/invitations/{invitation_id}', '', 'json', 'none'],
  deleteInvitation: ['DELETE', '/api/v1/organizations/{organization_id}/invitations/{invitation_id}', '', 'json', 'none'],
  resendInvitation: ['POST', '/api/v1/organizations/{organization_id}/invitations/{invitation_id}/resend', '', 'json', 'none'],
  acceptInvitation: ['POST', '/api/v1/invitations/accept', '', 'json', 'none'],
  declineInvitation: ['POST', '/api/v1/invitations/decline', '', 'json', 'none'],
  createApiKey: ['POST', '/api/v1/organizations/{organization_id}/api-keys', '', 'json', 'none'],
  listApiKeys: ['GET', '/api/v1/organizations/{organization_id}/api-keys', 'limit,cursor', 'page', 'none'],
  getApiKey: ['GET', '/api/v1/organizations/{organization_id}/api-keys/{api_key_id}', '', 'json', 'none'],
  updateApiKey: ['PATCH', '/api/v1/organizations/{organization_id}/api-keys/{api_key_id}', '', 'json', 'none'],
  rotateApiKey: ['POST', '/api/v1/organizations/{organization_id}/api-keys/{api_key_id}/rotate', '', 'json', 'none'],
  revokeApiKey: ['POST', '/api/v1/organizations/{organization_id}/api-keys/{api_key_id}/revoke', '', 'json', 'none'],
  createDelegate: ['POST', '/api/v1/me/delegates', '', 'json', 'none'],
  listDelegates: ['GET', '/api/v1/me/delegates', 'limit,cursor', 'page', 'none'],
  rotateDelegate: ['POST', '/api/v1/me/delegates/{delegate_id}/rotate', '', 'json', 'none'],
  getOwnDelegate: ['GET', '/api/v1/me/delegate', '', 'json', 'none'],
  endDelegate: ['DELETE', '/api/v1/me/delegates/{delegate_id}', '', 'json', 'none'],
  listOrganizationDelegates: ['GET', '/api/v1/organizations/{organization_id}/delegates', 'limit,cursor', 'page', 'none'],
  endOrganizationDelegate: ['DELETE', '/api/v1/organizations/{organization_id}/delegates/{delegate_id}', '', 'json', 'none'],
  getAuthorizationClient: ['GET', '/api/v1/me/authorizations/client', 'client_id,redirect_uri', 'json', 'none'],
  createAuthorization: ['POST', '/api/v1/me/authorizations', '', 'json', 'none'],
  getIdentityProvider: ['GET', '/api/v1/organizations/{organization_id}/identity-provider', '', 'json', 'none'],
  connectIdentityProvider: ['POST', '/api/v1/organizations/{organization_id}/identity-provider', '', 'json', 'optional'],
  updateIdentityProvider: ['PATCH', '/api/v1/organizations/{organization_id}/identity-provider', '', 'json', 'none'],
  disconnectIdentityProvider: ['DELETE', '/api/v1/organizations/{organization_id}/identity-provider', '', 'json', 'none'],
  addIdentityProviderDomain: ['POST', '/api/v1/organizations/{organization_id}/identity-provider/domains', '', 'json', 'none'],
  verifyIdentityProviderDomain: ['POST', '/api/v1/organizations/{organization_id}/identity-provider/domains/{domain}/verify', '', 'json', 'none'],
  removeIdentityProviderDomain: ['DELETE', '/api/v1/organizations/{organization_id}/identity-provider/domains/{domain}', '', 'json', 'none'],
  startProviderSignIn: ['POST', '/api/v1/auth/identity-provider/start', '', 'json', 'none'],
  completeProviderSignIn: ['POST', '/api/v1/auth/identity-provider/complete', '', 'json', 'none'],
  createIdentityLink: ['POST', '/api/v1/me/identity-links', '', 'json', 'none'],
  listScimTokens: ['GET', '/api/v1/organizations/{organization_id}/scim/tokens', 'limit,cursor', 'page', 'none'],
  createScimToken: ['POST', '/api/v1/organizations/{organization_id}/scim/tokens', '', 'json', 'none'],
  revokeScimToken: ['POST', '/api/v1/organizations/{organization_id}/scim/tokens/{scim_token_id}/revoke', '', 'json', 'none'],
  listScimGroups: ['GET', '/api/v1/organizations/{organization_id}/scim/groups', 'limit,cursor', 'page', 'none'],
  updateScimGroup: ['PATCH', '/api/v1/organizations/{organization_id}/scim/groups/{scim_group_id}', '', 'json', 'none'],
  listApprovals: ['GET', '/api/v1/organizations/{organization_id}/approvals', 'limit,cursor,status,statuses,action_type,mine,q,with_warnings', 'page', 'none'],
  getApproval: ['GET', '/api/v1/organizations/{organization_id}/approvals/{approval_id}', '', 'json', 'none'],
  approveRequest: ['POST', '/api/v1/organizations/{organization_id}/approvals/{approval_id}/approve', '', 'json', 'required'],
  rejectRequest: ['POST', '/api/v1/organizations/{organization_id}/approvals/{approval_id}/reject', '', 'json', 'optional'],
  sendBackRequest: ['POST', '/api/v1/organizations/{organization_id}/approvals/{approval_id}/send-back', '', 'json', 'optional'],
  cancelRequest: ['POST', '/api/v1/organizations/{organization_id}/approvals/{approval_id}/cancel', '', 'json', 'optional'],
  decideRequests: ['POST', '/api/v1/organizations/{organization_id}/approvals/decide', '', 'json', 'optional'],
  getApprovalEvidence: ['GET', '/api/v1/organizations/{organization_id}/approvals/{approval_id}/evidence', '', 'json', 'none'],
  getSignedApproval: ['GET', '/api/v1/organizations/{organization_id}/approvals/{approval_id}/credential', '', 'bytes', 'none'],
  getApprovalAttachment: ['GET', '/api/v1/organizations/{organization_id}/approvals/{approval_id}/attachments/{file_id}', '', 'json', 'none'],
  getApprovalAttachmentPage: ['GET', '/api/v1/organizations/{organization_id}/approvals/{approval_id}/attachments/{file_id}/pages/{n}.png', '', 'bytes', 'none'],
  askQuestion: ['POST', '/api/v1/organizations/{organization_id}/approvals/{approval_id}/questions', '', 'json', 'optional'],
  listQuestions: ['GET', '/api/v1/organizations/{organization_id}/approvals/{approval_id}/questions', '', 'page', 'none'],
  getQuestion: ['GET', '/api/v1/organizations/{organization_id}/questions/{question_id}', '', 'json', 'none'],
  answerQuestion: ['POST', '/api/v1/organizations/{organization_id}/questions/{question_id}/answers', '', 'json', 'optional'],
  listAttention: ['GET', '/api/v1/organizations/{organization_id}/attention', 'limit,cursor,severity,kind,audience,actionable', 'page', 'none'],
  getAttentionSummary: ['GET', '/api/v1/organizations/{organization_id}/attention/summary', '', 'json', 'none'],
  getAttentionItem: ['GET', '/api/v1/organizations/{organization_id}/attention/{item_id}', '', 'json', 'none'],
  getAccountsChart: ['GET', '/api/v1/organizations/{organization_id}/accounts-chart', '', 'json', 'none'],
  replaceAccountsChart: ['PUT', '/api/v1/organizations/{organization_id}/accounts-chart', '', 'json', 'none'],
  importAccountsChart: ['POST', '/api/v1/organizations/{organization_id}/accounts-chart/import', '', 'json', 'none'],
  uploadAccountsChart: ['POST', '/api/v1/organizations/{organization_id}/accounts-chart/csv', '', 'json', 'none'],
  listDimensions: ['GET', '/api/v1/organizations/{organization_id}/dimensions', '', 'page', 'none'],
  replaceDimensions: ['PUT', '/api/v1/organizations/{organization_id}/dimensions', '', 'page', 'none'],
  uploadDimensions: ['POST', '/api/v1/organizations/{organization_id}/dimensions/csv', '', 'page', 'none'],
  getPaymentContactCoding: ['GET', '/api/v1/payment-contacts/{payment_contact_id}/coding', '', 'json', 'none'],
  codePaymentContact: ['PUT', '/api/v1/payment-contacts/{payment_contact_id}/coding', '', 'json', 'none'],
  getBillCoding: ['GET', '/api/v1/bills/{bill_id}/coding', '', 'json', 'none'],
  codeBill: ['PUT', '/api/v1/bills/{bill_id}/coding', '', 'json', 'none'],
  getApprovalPolicy: ['GET', '/api/v1/organizations/{organization_id}/approval-policy', '', 'json', 'none'],
  setApprovalPolicy: ['PUT', '/api/v1/organizations/{organization_id}/approval-policy', '', 'json', 'none'],
  evaluateApprovalPolicy: ['POST', '/api/v1/organizations/{organization_id}/approval-policy/evaluate', '', 'json', 'none'],
  rehearseApprovalPolicy: ['POST', '/api/v1/organizations/{organization_id}/approval-policy/rehearse', '', 'json', 'none'],
  createSubstitution: ['POST', '/api/v1/organizations/{organization_id}/substitutions', '', 'json', 'optional'],
  listSubstitutions: ['GET', '/api/v1/organizations/{organization_id}/substitutions', 'limit,cursor,active,user_id,substitute_id', 'page', 'none'],
  getSubstitution: ['GET', '/api/v1/organizations/{organization_id}/substitutions/{substitution_id}', '', 'json', 'none'],
  endSubstitution: ['DELETE', '/api/v1/organizations/{organization_id}/substitutions/{substitution_id}', '', 'json', 'none'],
  validatePaymentDestination: ['POST', '/api/v1/payment-destinations/validate', '', 'json', 'none'],
  getPaymentDestinationRequirements: ['GET', '/api/v1/payment-destinations/requirements', 'country_code,currency', 'json', 'none'],
  createPaymentContact: ['POST', '/api/v1/organizations/{organization_id}/payment-contacts', '', 'json', 'optional'],
  listPaymentContacts: ['GET', '/api/v1/organizations/{organization_id}/payment-contacts', 'limit,cursor,q,tag,type,status,destination_type,currency,incomplete,external_id,idempotency_key', 'page', 'none'],
  getIncompletePaymentContacts: ['GET', '/api/v1/organizations/{organization_id}/payment-contacts/incomplete.csv', '', 'bytes', 'none'],
  getPaymentContact: ['GET', '/api/v1/payment-contacts/{payment_contact_id}', '', 'json', 'none'],
  updatePaymentContact: ['PATCH', '/api/v1/payment-contacts/{payment_contact_id}', '', 'json', 'none'],
  deletePaymentContact: ['DELETE', '/api/v1/payment-contacts/{payment_contact_id}', '', 'json', 'none'],
  getPaymentContactDraft: ['GET', '/api/v1/payment-contacts/{payment_contact_id}/draft', '', 'json', 'none'],
  listPaymentDestinations: ['GET', '/api/v1/payment-contacts/{payment_contact_id}/destinations', 'limit,cursor,type,currency,external_id,idempotency_key', 'page', 'none'],
  createPaymentDestination: ['POST', '/api/v1/payment-contacts/{payment_contact_id}/destinations', '', 'json', 'optional'],
  getPaymentDestination: ['GET', '/api/v1/payment-destinations/{payment_destination_id}', '', 'json', 'none'],
  updatePaymentDestination: ['PATCH', '/api/v1/payment-destinations/{payment_destination_id}', '', 'json', 'none'],
  deletePaymentDestination: ['DELETE', '/api/v1/payment-destinations/{payment_destination_id}', '', 'json', 'none'],
  confirmPaymentDestination: ['POST', '/api/v1/payment-destinations/{payment_destination_id}/confirm-by-callback', '', 'json', 'none'],
  getFees: ['GET', '/api/v1/fees', '', 'json', 'none'],
  preflightPayment: ['POST', '/api/v1/payments/preflight', '', 'json', 'none'],
  executePayment: ['POST', '/api/v1/payments/execute', '', 'json', 'optional'],
  updatePayment: ['PATCH', '/api/v1/payments/{payment_id}', '', 'json', 'none'],
  getPayment: ['GET', '/api/v1/payments/{payment_id}', '', 'json', 'none'],
  createPayment: ['POST', '/api/v1/payments', '', 'json', 'required'],
  unschedulePayment: ['POST', '/api/v1/payments/{payment_id}/unschedule', '', 'json', 'none'],
  getPaymentDraft: ['GET', '/api/v1/payments/{payment_id}/draft', '', 'json', 'none'],
  listPayments: ['GET', '/api/v1/organizations/{organization_id}/payments', 'limit,cursor,status,rail,payment_contact_id,payment_batch_id,scheduled,tag,label,external_id,idempotency_key,from,to,amount_min,amount_max,currency,q', 'page', 'none'],
  listPaymentEvents: ['GET', '/api/v1/payments/{payment_id}/events', 'limit,cursor', 'page', 'none'],
  cancelPayment: ['POST', '/api/v1/payments/{payment_id}/cancel', '', 'json', 'none'],
  createPaymentBatch: ['POST', '/api/v1/organizations/{organization_id}/payment-batches', '', 'json', 'optional'],
  listPaymentBatches: ['GET', '/api/v1/organizations/{organization_id}/payment-batches', 'limit,cursor,status,external_id,idempotency_key', 'page', 'none'],
  getPaymentBatchTemplate: ['GET', '/api/v1/payment-batches/template.csv', '', 'bytes', 'none'],
  getPaymentBatch: ['GET', '/api/v1/payment-batches/{batch_id}', '', 'json', 'none'],
  deletePaymentBatch: ['DELETE', '/api/v1/payment-batches/{batch_id}', '', 'json', 'none'],
  createPaymentBatchUpload: ['POST', '/api/v1/payment-batches/{batch_id}/upload', '', 'json', 'optional'],
  createPaymentBatchDocumentUpload: ['POST', '/api/v1/payment-batches/{batch_id}/documents/upload', '', 'json', 'optional'],
  importPaymentBatchFile: ['POST', '/api/v1/payment-batches/{batch_id}/import', '', 'json', 'none'],
  listPaymentBatchRows: ['GET', '/api/v1/payment-batches/{batch_id}/rows', 'limit,cursor,status,order,q,remarked', 'page', 'none'],
  createPaymentBatchRow: ['POST', '/api/v1/payment-batches/{batch_id}/rows', '', 'json', 'optional'],
  updatePaymentBatchRow: ['PATCH', '/api/v1/payment-batches/{batch_id}/rows/{row_id}', '', 'json', 'none'],
  deletePaymentBatchRow: ['DELETE', '/api/v1/payment-batches/{batch_id}/rows/{row_id}', '', 'json', 'none'],
  submitPaymentBatch: ['POST', '/api/v1/payment-batches/{batch_id}/submit', '', 'json', 'none'],
  cancelPaymentBatch: ['POST', '/api/v1/payment-batches/{batch_id}/cancel', '', 'json', 'none'],
  getPaymentBatchResults: ['GET', '/api/v1/payment-batches/{batch_id}/results.csv', '', 'bytes', 'none'],
  addPaymentBatchBills: ['POST', '/api/v1/payment-batches/{batch_id}/bills', '', 'json', 'none'],
  createBillUpload: ['POST', '/api/v1/organizations/{organization_id}/bills/upload', '', 'json', 'optional'],
  createBill: ['POST', '/api/v1/organizations/{organization_id}/bills', '', 'json', 'optional'],
  listBills: ['GET', '/api/v1/organizations/{organization_id}/bills', 'limit,cursor,status,supplier,currency,due_from,due_to,due_before,payable,credits,overdue,open,coded,order,approval_request_id,external_id,idempotency_key,q', 'page', 'none'],
  sumBills: ['GET', '/api/v1/organizations/{organization_id}/bills/sums', '', 'json', 'none'],
  getBill: ['GET', '/api/v1/bills/{bill_id}', '', 'json', 'none'],
  updateBill: ['PATCH', '/api/v1/bills/{bill_id}', '', 'json', 'none'],
  extractBill: ['POST', '/api/v1/bills/{bill_id}/extract', '', 'json', 'none'],
  cancelBill: ['POST', '/api/v1/bills/{bill_id}/cancel', '', 'json', 'none'],
  getBillFile: ['GET', '/api/v1/bills/{bill_id}/file', '', 'json', 'none'],
  getBillProvenance: ['GET', '/api/v1/bills/{bill_id}/provenance', '', 'json', 'none'],
  getBillPage: ['GET', '/api/v1/bills/{bill_id}/pages/{n}.png', 'mark', 'bytes', 'none'],
  createBillMailbox: ['POST', '/api/v1/organizations/{organization_id}/bill-mailboxes', '', 'json', 'optional'],
  listBillMailboxes: ['GET', '/api/v1/organizations/{organization_id}/bill-mailboxes', 'limit,cursor', 'page', 'none'],
  renameBillMailbox: ['PATCH', '/api/v1/organizations/{organization_id}/bill-mailboxes/{bill_mailbox_id}', '', 'json', 'none'],
  endBillMailbox: ['DELETE', '/api/v1/organizations/{organization_id}/bill-mailboxes/{bill_mailbox_id}', '', 'json', 'none'],
  listInboundMails: ['GET', '/api/v1/organizations/{organization_id}/inbound-mails', 'limit,cursor,status', 'page', 'none'],
  getInboundMail: ['GET', '/api/v1/organizations/{organization_id}/inbound-mails/{inbound_mail_id}', '', 'json', 'none'],
  acceptInboundMail: ['POST', '/api/v1/organizations/{organization_id}/inbound-mails/{inbound_mail_id}/accept', '', 'json', 'none'],
  forgetInboundMailSender: ['POST', '/api/v1/organizations/{organization_id}/inbound-mails/{inbound_mail_id}/forget-sender', '', 'json', 'none'],
  refuseInboundMail: ['POST', '/api/v1/organizations/{organization_id}/inbound-mails/{inbound_mail_id}/refuse', '', 'json', 'none'],
  preflightBill: ['POST', '/api/v1/bills/{bill_id}/preflight', '', 'json', 'none'],
  requestBillPayment: ['POST', '/api/v1/bills/{bill_id}/request-payment', '', 'json', 'required'],
  createPaymentAttachmentUpload: ['POST', '/api/v1/organizations/{organization_id}/payments/{payment_id}/attachments', '', 'json', 'optional'],
  listPaymentAttachments: ['GET', '/api/v1/organizations/{organization_id}/payments/{payment_id}/attachments', '', 'page', 'none'],
  attachPaymentFile: ['POST', '/api/v1/organizations/{organization_id}/payments/{payment_id}/attachments/{file_id}', '', 'page', 'none'],
  deletePaymentAttachment: ['DELETE', '/api/v1/organizations/{organization_id}/payments/{payment_id}/attachments/{file_id}', '', 'json', 'none'],
  getPaymentAttachment: ['GET', '/api/v1/organizations/{organization_id}/payments/{payment_id}/attachments/{file_id}', '', 'json', 'none'],
  createPaymentContactAttachmentUpload: ['POST', '/api/v1/organizations/{organization_id}/payment-contacts/{payment_contact_id}/attachments', '', 'json', 'optional'],
  listPaymentContactAttachments: ['GET', '/api/v1/organizations/{organization_id}/payment-contacts/{payment_contact_id}/attachments', '', 'page', 'none'],
  attachPaymentContactFile: ['POST', '/api/v1/organizations/{organization_id}/payment-contacts/{payment_contact_id}/attachments/{file_id}', '', 'page', 'none'],
  deletePaymentContactAttachment: ['DELETE', '/api/v1/organizations/{organization_id}/payment-contacts/{payment_contact_id}/attachments/{file_id}', '', 'json', 'none'],
  getPaymentContactAttachment: ['GET', '/api/v1/organizations/{organization_id}/payment-contacts/{payment_contact_id}/attachments/{file_id}', '', 'json', 'none'],
  createBillAttachmentUpload: ['POST', '/api/v1/organizations/{organization_id}/bills/{bill_id}/attachments', '', 'json', 'optional'],
  listBillAttachments: ['GET', '/api/v1/organizations/{organization_id}/bills/{bill_id}/attachments', '', 'page', 'none'],
  attachBillFile: ['POST', '/api/v1/organizations/{organization_id}/bills/{bill_id}/attachments/{file_id}', '', 'page', 'none'],
  deleteBillAttachment: ['DELETE', '/api/v1/organizations/{organization_id}/bills/{bill_id}/attachments/{file_id}', '', 'json', 'none'],
  getBillAttachment: ['GET', '/api/v1/organizations/{organization_id}/bills/{bill_id}/attachments/{file_id}', '', 'json', 'none'],
  createPaymentBatchAttachmentUpload: ['POST', '/api/v1/organizations/{organization_id}/payment-batches/{batch_id}/attachments', '', 'json', 'optional'],
  listPaymentBatchAttachments: ['GET', '/api/v1/organizations/{organization_id}/payment-batches/{batch_id}/attachments', '', 'page', 'none'],
  attachPaymentBatchFile: ['POST', '/api/v1/organizations/{organization_id}/payment-batches/{batch_id}/attachments/{file_id}', '', 'page', 'none'],
  deletePaymentBatchAttachment: ['DELETE', '/api/v1/organizations/{organization_id}/payment-batches/{batch_id}/attachments/{file_id}', '', 'json', 'none'],
  getPaymentBatchAttachment: ['GET', '/api/v1/organizations/{organization_id}/payment-batches/{batch_id}/attachments/{file_id}', '', 'json', 'none'],
  createTransactionAttachmentUpload: ['POST', '/api/v1/organizations/{organization_id}/transactions/{transaction_id}/attachments', '', 'json', 'optional'],
  listTransactionAttachments: ['GET', '/api/v1/organizations/{organization_id}/transactions/{transaction_id}/attachments', '', 'page', 'none'],
  attachTransactionFile: ['POST', '/api/v1/organizations/{organization_id}/transactions/{transaction_id}/attachments/{file_id}', '', 'page', 'none'],
  deleteTransactionAttachment: ['DELETE', '/api/v1/organizations/{organization_id}/transactions/{transaction_id}/attachments/{file_id}', '', 'json', 'none'],
  getTransactionAttachment: ['GET', '/api/v1/organizations/{organization_id}/transactions/{transaction_id}/attachments/{file_id}', '', 'json', 'none'],
  createBillingContact: ['POST', '/api/v1/organizations/{organization_id}/billing-contacts', '', 'json', 'optional'],
  listBillingContacts: ['GET', '/api/v1/organizations/{organization_id}/billing-contacts', 'limit,cursor,q', 'page', 'none'],
  getBillingContact: ['GET', '/api/v1/billing-contacts/{billing_contact_id}', '', 'json', 'none'],
  updateBillingContact: ['PATCH', '/api/v1/billing-contacts/{billing_contact_id}', '', 'json', 'none'],
  deleteBillingContact: ['DELETE', '/api/v1/billing-contacts/{billing_contact_id}', '', 'json', 'none'],
  createInvoiceUpload: ['POST', '/api/v1/organizations/{organization_id}/invoices/upload', '', 'json', 'optional'],
  createInvoice: ['POST', '/api/v1/organizations/{organization_id}/invoices', '', 'json', 'optional'],
  listInvoices: ['GET', '/api/v1/organizations/{organization_id}/invoices', 'limit,cursor,billing_contact_id,state,currency,due_date_from,due_date_to,issue_date_from,issue_date_to,overdue,full_text_search,external_id,idempotency_key', 'page', 'none'],
  getInvoice: ['GET', '/api/v1/invoices/{invoice_id}', '', 'json', 'none'],
  updateInvoice: ['PATCH', '/api/v1/invoices/{invoice_id}', '', 'json', 'none'],
  deleteInvoice: ['DELETE', '/api/v1/invoices/{invoice_id}', '', 'json', 'none'],
  listInvoiceEvents: ['GET', '/api/v1/invoices/{invoice_id}/events', 'limit,cursor', 'page', 'none'],
  createInvoiceAllocation: ['POST', '/api/v1/invoices/{invoice_id}/allocations', '', 'json', 'optional'],
  listInvoiceAllocations: ['GET', '/api/v1/invoices/{invoice_id}/allocations', 'limit,cursor', 'page', 'none'],
  deleteInvoiceAllocation: ['DELETE', '/api/v1/invoices/{invoice_id}/allocations/{allocation_id}', '', 'json', 'none'],
  getInvoiceSummary: ['GET', '/api/v1/organizations/{organization_id}/invoices/summary', 'from,to', 'json', 'none'],
  submitInvoice: ['POST', '/api/v1/invoices/{invoice_id}/submit', '', 'json', 'none'],
  finalizeInvoice: ['POST', '/api/v1/invoices/{invoice_id}/finalize', '', 'json', 'none'],
  markInvoicePaid: ['POST', '/api/v1/invoices/{invoice_id}/mark-paid', '', 'json', 'none'],
  resendInvoice: ['POST', '/api/v1/invoices/{invoice_id}/resend', '', 'json', 'none'],
  getInvoicePdf: ['GET', '/api/v1/invoices/{invoice_id}/pdf', 'draft', 'bytes', 'none'],
  getInvoiceXml: ['GET', '/api/v1/invoices/{invoice_id}/xml', '', 'bytes', 'none'],
  revokePublicInvoice: ['DELETE', '/api/v1/invoices/{invoice_id}/public-link', '', 'json', 'none'],
  createCreditNote: ['POST', '/api/v1/invoices/{invoice_id}/credit-notes', '', 'json', 'optional'],
  listInvoiceCreditNotes: ['GET', '/api/v1/invoices/{invoice_id}/credit-notes', 'limit,cursor', 'page', 'none'],
  listCreditNotes: ['GET', '/api/v1/organizations/{organization_id}/credit-notes', 'limit,cursor,state,invoice_id,billing_contact_id,currency,issue_date_from,issue_date_to,external_id,idempotency_key', 'page', 'none'],
  getCreditNote: ['GET', '/api/v1/credit-notes/{credit_note_id}', '', 'json', 'none'],
  updateCreditNote: ['PATCH', '/api/v1/credit-notes/{credit_note_id}', '', 'json', 'none'],
  deleteCreditNote: ['DELETE', '/api/v1/credit-notes/{credit_note_id}', '', 'json', 'none'],
  listCreditNoteEvents: ['GET', '/api/v1/credit-notes/{credit_note_id}/events', 'limit,cursor', 'page', 'none'],
  submitCreditNote: ['POST', '/api/v1/credit-notes/{credit_note_id}/submit', '', 'json', 'none'],
  resendCreditNote: ['POST', '/api/v1/credit-notes/{credit_note_id}/resend', '', 'json', 'none'],
  getCreditNotePdf: ['GET', '/api/v1/credit-notes/{credit_note_id}/pdf', 'draft', 'bytes', 'none'],
  getCreditNoteXml: ['GET', '/api/v1/credit-notes/{credit_note_id}/xml', '', 'bytes', 'none'],
  listPayoutReasons: ['GET', '/api/v1/payout-reasons', '', 'page', 'none'],
  getPaymentReceipt: ['GET', '/api/v1/payments/{payment_id}/receipt', '', 'bytes', 'none'],
  listOrganizationMultiCurrencyAccounts: ['GET', '/api/v1/organizations/{organization_id}/multi-currency-accounts', 'limit,cursor', 'page', 'none'],
  listBalances: ['GET', '/api/v1/organizations/{organization_id}/balances', 'as_of', 'json', 'none'],
  listCapabilities: ['GET', '/api/v1/organizations/{organization_id}/capabilities', '', 'json', 'none'],
  checkLedgerIntegrity: ['GET', '/api/v1/organizations/{organization_id}/ledger/integrity', '', 'json', 'none'],
  readProofOfFunds: ['GET', '/api/v1/organizations/{organization_id}/ledger/proof-of-funds', '', 'json', 'none'],
  listBankAccounts: ['GET', '/api/v1/organizations/{organization_id}/bank-accounts', 'limit,cursor', 'page', 'none'],
  listDepositAddresses: ['GET', '/api/v1/organizations/{organization_id}/deposit-addresses', 'limit,cursor', 'page', 'none'],
  listDeposits: ['GET', '/api/v1/organizations/{organization_id}/deposits', 'limit,cursor,status,rail,currency,from,to,amount_min,amount_max,q', 'page', 'none'],
  getDeposit: ['GET', '/api/v1/deposits/{deposit_id}', '', 'json', 'none'],
  submitDepositSenderTravelRule: ['POST', '/api/v1/deposits/{deposit_id}/sender-travel-rule', '', 'json', 'none'],
  createSwapQuote: ['POST', '/api/v1/organizations/{organization_id}/swaps/quote', '', 'json', 'none'],
  executeSwap: ['POST', '/api/v1/swaps/execute', '', 'json', 'required'],
  listSwaps: ['GET', '/api/v1/organizations/{organization_id}/swaps', 'limit,cursor,source_currency,target_currency,from,to', 'page', 'none'],
  getSwap: ['GET', '/api/v1/swaps/{swap_id}', '', 'json', 'none'],
  listSubscriptionOffers: ['GET', '/api/v1/organizations/{organization_id}/subscription/offers', 'limit,cursor,active', 'page', 'none'],
  getSubscription: ['GET', '/api/v1/organizations/{organization_id}/subscription', '', 'json', 'none'],
  endSubscription: ['DELETE', '/api/v1/organizations/{organization_id}/subscription', '', 'json', 'none'],
  selectSubscriptionPlan: ['POST', '/api/v1/organizations/{organization_id}/subscription/select-plan', '', 'json', 'required'],
  cancelScheduledSubscriptionChange: ['DELETE', '/api/v1/organizations/{organization_id}/subscription/scheduled-change', '', 'json', 'none'],
  listSubscriptionEvents: ['GET', '/api/v1/organizations/{organization_id}/subscription/events', 'limit,cursor', 'page', 'none'],
  listTransactions: ['GET', '/api/v1/organizations/{organization_id}/transactions', 'limit,cursor,type,direction,currency,status,from,to,amount_min,amount_max,payment_contact_id,payment_id,deposit_id,swap_id,category,label,q', 'page', 'none'],
  getTransaction: ['GET', '/api/v1/transactions/{transaction_id}', '', 'json', 'none'],
  updateTransaction: ['PATCH', '/api/v1/transactions/{transaction_id}', '', 'json', 'none'],
  createExport: ['POST', '/api/v1/organizations/{organization_id}/exports', '', 'json', 'optional'],
  listExports: ['GET', '/api/v1/organizations/{organization_id}/exports', 'limit,cursor', 'page', 'none'],
  getExport: ['GET', '/api/v1/exports/{export_id}', '', 'json', 'none'],
  retryExport: ['POST', '/api/v1/exports/{export_id}/retry', '', 'json', 'optional'],
  listRequests: ['GET', '/api/v1/organizations/{organization_id}/requests', 'limit,cursor,from,to,request_id,status,status_class,error_type,operation,api_key_id,delegate_id,user_id', 'page', 'none'],
  getRequest: ['GET', '/api/v1/organizations/{organization_id}/requests/{request_id}', '', 'json', 'none'],
  listEvents: ['GET', '/api/v1/organizations/{organization_id}/events', 'limit,cursor,type,stream,subject_id,from,to,order', 'page', 'none'],
  verifyEvents: ['GET', '/api/v1/organizations/{organization_id}/events/verify', 'cursor', 'json', 'none'],
  listEventHeads: ['GET', '/api/v1/organizations/{organization_id}/events/heads', 'limit,cursor', 'page', 'none'],
  listEventLogKeys: ['GET', '/api/v1/meta/event-log-keys', '', 'page', 'none'],
  getEvent: ['GET', '/api/v1/organizations/{organization_id}/events/{event_id}', '', 'json', 'none'],
  streamEvents: ['GET', '/api/v1/organizations/{organization_id}/events/stream', 'type,stream', 'stream', 'none'],
  listCountries: ['GET', '/api/v1/countries', 'limit,cursor', 'page', 'none'],
  listSubdivisions: ['GET', '/api/v1/countries/{country_code}/subdivisions', 'limit,cursor', 'page', 'none'],
  listCurrencies: ['GET', '/api/v1/currencies', 'limit,cursor', 'page', 'none'],
  listIntegrations: ['GET', '/api/v1/organizations/{organization_id}/integrations', '', 'page', 'none'],
  connectAccounting: ['POST', '/api/v1/organizations/{organization_id}/integrations/accounting/connect', '', 'json', 'none'],
  disconnectAccounting: ['POST', '/api/v1/organizations/{organization_id}/integrations/accounting/disconnect', '', 'json', 'none'],
  getAccountingMappingOptions: ['GET', '/api/v1/organizations/{organization_id}/integrations/accounting/mapping-options', '', 'json', 'none'],
  listAccountingAccounts: ['GET', '/api/v1/organizations/{organization_id}/integrations/accounting/accounts', '', 'page', 'none'],
  listAccountingMappings: ['GET', '/api/v1/organizations/{organization_id}/integrations/accounting/mappings', '', 'page', 'none'],
  replaceAccountingMappings: ['PUT', '/api/v1/organizations/{organization_id}/integrations/accounting/mappings', '', 'page', 'none'],
  syncAccounting: ['POST', '/api/v1/organizations/{organization_id}/integrations/accounting/sync', '', 'json', 'none'],
  listAccountingSyncRuns: ['GET', '/api/v1/organizations/{organization_id}/integrations/accounting/sync-runs', 'limit,cursor', 'page', 'none'],
  createWebhookEndpoint: ['POST', '/api/v1/organizations/{organization_id}/webhook-endpoints', '', 'json', 'none'],
  listWebhookEndpoints: ['GET', '/api/v1/organizations/{organization_id}/webhook-endpoints', 'limit,cursor', 'page', 'none'],
  getWebhookEndpoint: ['GET', '/api/v1/organizations/{organization_id}/webhook-endpoints/{webhook_endpoint_id}', '', 'json', 'none'],
  updateWebhookEndpoint: ['PATCH', '/api/v1/organizations/{organization_id}/webhook-endpoints/{webhook_endpoint_id}', '', 'json', 'none'],
  deleteWebhookEndpoint: ['DELETE', '/api/v1/organizations/{organization_id}/webhook-endpoints/{webhook_endpoint_id}', '', 'json', 'none'],
  rotateWebhookSecret: ['POST', '/api/v1/organizations/{organization_id}/webhook-endpoints/{webhook_endpoint_id}/rotate-secret', '', 'json', 'none'],
  enableWebhookEndpoint: ['POST', '/api/v1/organizations/{organization_id}/webhook-endpoints/{webhook_endpoint_id}/enable', '', 'json', 'none'],
  disableWebhookEndpoint: ['POST', '/api/v1/organizations/{organization_id}/webhook-endpoints/{webhook_endpoint_id}/disable', '', 'json', 'none'],
  listWebhookDeliveries: ['GET', '/api/v1/organizations/{organization_id}/webhook-endpoints/{webhook_endpoint_id}/deliveries', 'limit,cursor,status,event_id', 'page', 'none'],
  getWebhookDelivery: ['GET', '/api/v1/organizations/{organization_id}/webhook-endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}', '', 'json', 'none'],
  replayWebhookDelivery: ['POST', '/api/v1/organizations/{organization_id}/webhook-endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/replay', '', 'json', 'none'],
  testWebhookEndpoint: ['POST', '/api/v1/organizations/{organization_id}/webhook-endpoints/{webhook_endpoint_id}/test', '', 'json', 'none'],
  replayWebhookEvents: ['POST', '/api/v1/organizations/{organization_id}/webhook-endpoints/{webhook_endpoint_id}/replay', '', 'json', 'optional'],
  listWebhookReplays: ['GET', '/api/v1/organizations/{organization_id}/webhook-endpoints/{webhook_endpoint_id}/replays', 'limit,cursor', 'page', 'none'],
  createLogStream: ['POST', '/api/v1/organizations/{organization_id}/log-streams', '', 'json', 'none'],
  listLogStreams: ['GET', '/api/v1/organizations/{organization_id}/log-streams', 'limit,cursor', 'page', 'none'],
  getLogStream: ['GET', '/api/v1/organizations/{organization_id}/log-streams/{log_stream_id}', '', 'json', 'none'],
  updateLogStream: ['PATCH', '/api/v1/organizations/{organization_id}/log-streams/{log_stream_id}', '', 'json', 'none'],
  deleteLogStream: ['DELETE', '/api/v1/organizations/{organization_id}/log-streams/{log_stream_id}', '', 'json', 'none'],
  rotateLogStreamSecret: ['POST', '/api/v1/organizations/{organization_id}/log-streams/{log_stream_id}/rotate-secret', '', 'json', 'none'],
  testLogStream: ['POST', '/api/v1/organizations/{organization_id}/log-streams/{log_stream_id}/test', '', 'json', 'none'],
  listLogStreamDeliveries: ['GET', '/api/v1/organizations/{organization_id}/log-streams/{log_stream_id}/deliveries', 'limit,cursor,status,event_id', 'page', 'none'],
  getLogStreamDelivery: ['GET', '/api/v1/organizations/{organization_id}/log-streams/{log_stream_id}/deliveries/{delivery_id}', '', 'json', 'none'],
  replayLogStreamDelivery: ['POST', '/api/v1/organizations/{organization_id}/log-streams/{log_stream_id}/deliveries/{delivery_id}/replay', '', 'json', 'none'],
  listErrorTypes: ['GET', '/api/v1/meta/errors', '', 'page', 'none'],
  listEventTypes: ['GET', '/api/v1/meta/event-types', '', 'page', 'none'],
  listSandboxAccountingTenants: ['GET', '/api/v1/sandbox/accounting/tenants', 'limit,cursor', 'page', 'none'],
  listSandboxAccountingItems: ['GET', '/api/v1/sandbox/accounting/tenants/{tenant_id}/items', 'limit,cursor,type', 'page', 'none'],
  advanceClock: ['POST', '/api/v1/sandbox/clock/advance', '', 'json', 'none'],
  getClock: ['GET', '/api/v1/sandbox/clock', '', 'json', 'none'],
  createSandboxDeposit: ['POST', '/api/v1/sandbox/deposits', '', 'json', 'optional'],
  createSandboxUnmatchedDeposit: ['POST', '/api/v1/sandbox/unmatched-deposits', '', 'json', 'none'],
  paySandboxInvoice: ['POST', '/api/v1/sandbox/invoices/{invoice_id}/pay', '', 'json', 'optional'],
  setSandboxFault: ['POST', '/api/v1/sandbox/faults', '', 'json', 'none'],
  listSandboxFaults: ['GET', '/api/v1/sandbox/faults', '', 'page', 'none'],
  clearSandboxFaults: ['DELETE', '/api/v1/sandbox/faults', '', 'page', 'none'],
  setSandboxMarket: ['POST', '/api/v1/sandbox/market', '', 'json', 'none'],
  getSandboxMarket: ['GET', '/api/v1/sandbox/market', '', 'json', 'none'],
  listSandboxMessages: ['GET', '/api/v1/sandbox/messages', 'limit,cursor,to', 'page', 'none'],
  showSandboxMessage: ['GET', '/api/v1/sandbox/messages/{id}/html', '', 'bytes', 'none'],
  decideOnboarding: ['POST', '/api/v1/sandbox/onboarding', '', 'json', 'none'],
  advanceSandboxPayment: ['POST', '/api/v1/sandbox/payments/{payment_id}/advance', '', 'json', 'none'],
  decideSandboxStepUp: ['POST', '/api/v1/sandbox/step-up/{id}/decide', '', 'json', 'none'],
}
