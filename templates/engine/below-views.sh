# --- below-views
# What the profile lists below a view.
# shellcheck disable=SC2154,SC2164 # other parts and the policy set and use these

mount_entries "${entries_below_views[@]}"
hold "${held_below_views[@]}"
cd -- "$cwd"
