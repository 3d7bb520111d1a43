export type Passkey = {
  readonly id: string
  readonly name: string
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

/** The second factors of a person. */
export type SecondFactors = {
  /** Encrypted secret of the authenticator app; `isPending` until the first correct code. */
  readonly totp: { readonly encryptedSecret: string; readonly isPending: boolean } | null
  readonly passkeys: readonly Passkey[]
  readonly recoveryCodeCount: number
}

export const hasSecondFactor = ({ totp, passkeys }: SecondFactors) =>
  (totp !== null && !totp.isPending) || passkeys.length > 0
