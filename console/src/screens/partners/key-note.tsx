import { Secret } from "@/screens/partners/secret.tsx";

/** A signing key, which the server tells this once. */
export function KeyNote({ value }: { readonly value: string }) {
  return (
    <Secret
      note="签名密钥（只显示这一次，请马上交给合作方的服务器，不要放进网页）："
      name="密钥"
      value={value}
    />
  );
}
