/**
 * Between the counter and the customer's screen, a second window of the same browser. What is sent is text for the customer:
 * neither maximum nor resale price nor margin leaves the counter.
 */
export type CustomerState =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'offer'
      /** With its storage. */
      readonly device: string
      readonly deviceId: string | null
      /** Grade and faults in words. */
      readonly condition: readonly string[]
      readonly amount: string
      /** Differences from a quote, each with its money. */
      readonly differences: readonly string[]
    }
  | { readonly kind: 'thanks'; readonly receiptUrl: string | null }

type Message =
  | { readonly from: 'counter'; readonly state: CustomerState }
  | { readonly from: 'screen'; readonly isOpen: boolean }

const CHANNEL = 'customer-screen'

let channel: BroadcastChannel | undefined
let shown: CustomerState = { kind: 'idle' }
let isOpen = false

const send = (message: Message) => channel?.postMessage(message)

/** The side of the counter; it answers a screen that is opened later. */
function connect(): void {
  if (channel) return
  channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.from !== 'screen') return
    isOpen = data.isOpen
    if (isOpen) send({ from: 'counter', state: shown })
  })
}

export function showCustomer(state: CustomerState): void {
  connect()
  shown = state
  send({ from: 'counter', state })
}

/** Whether a screen has answered. */
export const isCustomerScreenOpen = () => isOpen

/** Opens the screen in a window of its own, to be moved to the other monitor. */
export function openCustomerScreen(): void {
  connect()
  window.open('/dashboard/customer', 'customer-screen', 'popup,width=1024,height=768')
}

/** The side of the screen; returns a function that ends it. */
export function followCounter(show: (state: CustomerState) => void): () => void {
  const own = new BroadcastChannel(CHANNEL)
  own.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.from === 'counter') show(data.state)
  })
  const tell = (open: boolean) => own.postMessage({ from: 'screen', isOpen: open } satisfies Message)
  const leave = () => tell(false)
  window.addEventListener('pagehide', leave)
  tell(true)
  return () => {
    window.removeEventListener('pagehide', leave)
    tell(false)
    own.close()
  }
}
