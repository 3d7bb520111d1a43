export type Passkey = {
  readonly id: string
  readonly name: string
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

/** What a person can show beside a password. */
export type SecondFactors = {
  /** The sealed secret of an authenticator app; `isPending` until its first code was right. */
  readonly totp: { readonly encryptedSecret: string; readonly isPending: boolean } | null
  readonly passkeys: readonly Passkey[]
  readonly recoveryCodeCount: number
}

export const hasSecondFactor = ({ totp, passkeys }: SecondFactors) =>
  (totp !== null && !totp.isPending) || passkeys.length > 0
