/** A payment workflow of a broken build: its first task fails, again and again. */
export async function payment(): Promise<void> {
  throw new TypeError('this code cannot run')
}
