/** Between the windows of this browser: a page whose session ended continues when another window signed in. */
const CHANNEL = 'sign-in'

export function announceSignIn(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage('signed in')
  channel.close()
}

/** Returns a function that ends listening. */
export function onSignInElsewhere(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', listener)
  return () => channel.close()
}
