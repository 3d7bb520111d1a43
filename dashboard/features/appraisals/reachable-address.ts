/** Whether a phone can open an address of the service: not one that means this computer. */
export const isReachable = (address: string): boolean =>
  !/^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(new URL(address).hostname)
