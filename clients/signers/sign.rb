# ruby sign.rb SECRET TIMESTAMP NONCE BODY
require "openssl"

# Returns the X-Signature of a request: the nonce is new for each, the body the exact bytes that are sent.
def sign(secret, timestamp, nonce, body)
  OpenSSL::HMAC.hexdigest("SHA256", secret, "#{timestamp}.#{nonce}.#{body}")
end

puts sign(*ARGV) if $PROGRAM_NAME == __FILE__
