/** Words of the viewer: sign-in, factors, devices in English. */
export const me = {
  heading: 'Your account',
}
