/** Words of the sign-in in English. */
export const signIn = {
  heading: 'Sign in',
}
