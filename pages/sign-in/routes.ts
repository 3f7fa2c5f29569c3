/** Addresses of the sign-in, of new accounts, and of links in mails. */
import type { Routes } from '../frame/routes.ts'
import { authorize, showAuthorization } from './authorize.ts'
import { CALLBACK, beginCompanySignIn, showCompanySignIn, showLink, takeCallback, takeLink } from './company.ts'
import { MAILED_SENT, MAILED_SHOWN } from './mailed.ts'
import { showForgotten, showSignUp, takeForgotten, takeSignUp } from './sign-up.ts'
import { showSignIn, signOut, takeFactor, takeFirstCode, takePassword } from './sign-in.ts'

export const SIGN_IN: Routes = {
  shown: {
    '/sign-in': showSignIn,
    '/sign-in/company': showCompanySignIn,
    [CALLBACK]: takeCallback,
    '/me/company-sign-in': showLink,
    '/sign-up': showSignUp,
    '/forgot-password': showForgotten,
    ...MAILED_SHOWN,
    '/authorize': showAuthorization,
  },
  sent: {
    '/sign-in': takePassword,
    '/sign-in/factor': takeFactor,
    '/sign-in/authenticator': takeFirstCode,
    '/sign-in/company': beginCompanySignIn,
    '/me/company-sign-in': takeLink,
    '/sign-out': signOut,
    '/sign-up': takeSignUp,
    '/forgot-password': takeForgotten,
    ...MAILED_SENT,
    '/authorize': authorize,
  },
}
