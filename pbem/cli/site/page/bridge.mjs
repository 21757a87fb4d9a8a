// Cryptography for pbem/trust/noble.py: bytes in, bytes out, by the audited libraries @noble/*. Nothing is computed
// here but the one question that @noble/curves answers more mildly than we do (see verify).
import { ed25519, x25519 } from "./noble/curves/ed25519.js";
import { chacha20poly1305 } from "./noble/ciphers/chacha.js";
import { sha512 } from "./noble/hashes/sha2.js";
import { scrypt } from "./noble/hashes/scrypt.js";

const Point = ed25519.Point;
const number = (bytes) => bytes.reduceRight((sum, one) => (sum << 8n) | BigInt(one), 0n);

// @noble/curves checks the equation with the cofactor, by which a signature with a part of small order holds as well.
// Computers check the one without it (RFC 8032, 5.1.7), so both are asked, or an archive would verify here alone.
function verify(publicKey, signature, message) {
  if (publicKey.length !== 32 || signature.length !== 64) { return false; }
  if (!ed25519.verify(signature, message, publicKey, { zip215: false })) { return false; }
  const hashed = sha512.create().update(signature.subarray(0, 32)).update(publicKey).update(message).digest();
  const order = Point.Fn.ORDER, k = number(hashed) % order, s = number(signature.subarray(32)) % order;
  const right = Point.BASE.multiplyUnsafe(s).subtract(Point.fromBytes(publicKey).multiplyUnsafe(k)).toBytes();
  return right.every((one, at) => one === signature[at]);
}

export const noble = {
  ed25519_public: (seed) => ed25519.getPublicKey(seed),
  ed25519_sign: (seed, message) => ed25519.sign(message, seed),
  ed25519_verify: verify,
  x25519_public: (key) => x25519.getPublicKey(key),
  x25519: (key, other) => x25519.getSharedSecret(key, other),
  chacha_encrypt: (key, nonce, data, aad) => chacha20poly1305(key, nonce, aad).encrypt(data),
  chacha_decrypt: (key, nonce, data, aad) => chacha20poly1305(key, nonce, aad).decrypt(data),
  scrypt: (secret, salt, n) => scrypt(secret, salt, { N: n, r: 8, p: 1, dkLen: 32, maxmem: 2 ** 31 }),
};
