# ruby sign.rb SECRET TIMESTAMP NONCE METHOD TARGET BODY
require "openssl"

# Returns the X-Signature of version 2: a new nonce for each, the target with its query, the body as sent.
def sign(secret, timestamp, nonce, method, target, body)
  digest = OpenSSL::Digest::SHA256.hexdigest(body)
  OpenSSL::HMAC.hexdigest("SHA256", secret, "v2.#{timestamp}.#{nonce}.#{method}.#{target}.#{digest}")
end

puts sign(*ARGV) if $PROGRAM_NAME == __FILE__
